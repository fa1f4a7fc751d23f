package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Tree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is filled in when a Service is created, and when an old one is read. */
final class ServiceDefaultsTest {
    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ports: [{port: 80}]                                    | type=ClusterIP; sessionAffinity=None; sessionAffinityConfig=; internalTrafficPolicy=Cluster; externalTrafficPolicy=; allocateLoadBalancerNodePorts=
                    ports: [{port: 80}]                                    | ports=[{port: 80, protocol: TCP, targetPort: 80}]
                    ports: [{port: 0x50, name: ""}]                        | ports=[{port: 80, protocol: TCP, targetPort: 80}]
                    ports: [{port: 53, protocol: UDP, targetPort: 0}]      | ports=[{port: 53, protocol: UDP, targetPort: 53}]
                    ports: [{port: 53, targetPort: ""}]                    | ports[0].targetPort=53
                    ports: [{port: 53, targetPort: dns, nodePort: 0}]      | ports[0].targetPort=dns; ports[0].nodePort=
                    ports: [{port: 80}], type: "", clusterIP: "", clusterIPs: [], externalIPs: [] | type=ClusterIP; clusterIP=; clusterIPs=; externalIPs=; externalTrafficPolicy=
                    ports: [{port: 80}], type: null, selector: null        | type=ClusterIP; selector=
                    ports: [{port: 80}], sessionAffinity: ClientIP         | sessionAffinityConfig={clientIP: {timeoutSeconds: 10800}}
                    ports: [{port: 80}], sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {}} | sessionAffinityConfig={clientIP: {timeoutSeconds: 10800}}
                    ports: [{port: 80}], sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 7}} | sessionAffinityConfig={clientIP: {timeoutSeconds: 7}}
                    ports: [{port: 80}], sessionAffinity: None, sessionAffinityConfig: {clientIP: {timeoutSeconds: 7}} | sessionAffinityConfig=
                    ports: [{port: 80}], type: NodePort                    | externalTrafficPolicy=Cluster; internalTrafficPolicy=Cluster; allocateLoadBalancerNodePorts=
                    ports: [{port: 80}], type: LoadBalancer                | externalTrafficPolicy=Cluster; internalTrafficPolicy=Cluster; allocateLoadBalancerNodePorts=true
                    ports: [{port: 80}], type: LoadBalancer, allocateLoadBalancerNodePorts: false | allocateLoadBalancerNodePorts=false
                    ports: [{port: 80}], externalIPs: [192.0.2.1]          | externalTrafficPolicy=Cluster
                    ports: [{port: 80}], internalTrafficPolicy: Local      | internalTrafficPolicy=Local
                    type: ExternalName, externalName: x.example            | internalTrafficPolicy=; externalTrafficPolicy=; clusterIP=; clusterIPs=; ipFamilies=; ipFamilyPolicy=
                    ports: [{port: 80}]                                    | ipFamilies=[IPv4]; ipFamilyPolicy=SingleStack; clusterIP=; clusterIPs=
                    ports: [{port: 80}], clusterIP: 10.0.0.10              | clusterIPs=[10.0.0.10]
                    ports: [{port: 80}], ipFamilyPolicy: PreferDualStack   | ipFamilies=[IPv4, IPv6]; ipFamilyPolicy=PreferDualStack
                    clusterIP: None, selector: {app: web}                  | clusterIPs=[None]; ipFamilies=[IPv4]; ipFamilyPolicy=SingleStack
                    ports: [{port: 80}], selector: {app: null, tier: web}  | selector={app: , tier: web}
                    clusterIP: None                                        | clusterIPs=[None]; ipFamilies=[IPv4, IPv6]; ipFamilyPolicy=RequireDualStack
                    """)
    void filledIn(String spec, String expected) {
        ServiceFixtures.assertSays(
                ServiceFixtures.settled(ServiceFixtures.rules("46").create(ServiceFixtures.service(spec)))
                        .object(),
                expected);
    }

    @Test
    void theRestOfTheObject() {
        Tree.Mapping given = ServiceFixtures.object("""
                metadata: {name: web, labels: {app: web}, uid: u-1, resourceVersion: "7", creationTimestamp: null, managedFields: []},
                spec: {type: LoadBalancer, ports: [{port: 80}]},
                status: {loadBalancer: {ingress: [{ip: 192.0.2.1}, {ip: 192.0.2.2, ipMode: Proxy}, {hostname: x.example}]}}
                """);
        ServiceFixtures.assertSays(
                ServiceFixtures.settled(ServiceFixtures.rules("4").create(given))
                        .object(),
                "metadata.labels={app: web}; metadata.namespace=default; metadata.uid=; metadata.resourceVersion=; "
                        + "metadata.managedFields=; metadata.creationTimestamp=; status.loadBalancer.ingress="
                        + "[{ip: 192.0.2.1, ipMode: VIP}, {ip: 192.0.2.2, ipMode: Proxy}, {hostname: x.example}]");
    }

    @Test
    void omitsAbsentFields() {
        Tree.Mapping given = ServiceFixtures.object(
                "metadata: {name: web}, spec: {colour: red, ports: [{port: 80, hostPort: 80}]}, data: {a: b}");
        Tree.Mapping object = ServiceFixtures.settled(ServiceFixtures.rules("4").create(given))
                .object();
        ServiceFixtures.assertSays(object, "colour=; ports=[{port: 80, protocol: TCP, targetPort: 80}]");
        assertThat(object.entries()).doesNotContainKey("data");
    }

    @Test
    void onlyALoadBalancerHasAState() {
        Tree.Mapping given = ServiceFixtures.object(
                "metadata: {name: web}, spec: {ports: [{port: 80}]}, status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}");
        ServiceFixtures.assertSays(
                ServiceFixtures.settled(ServiceFixtures.rules("4").create(given))
                        .object(),
                "status.loadBalancer=");
    }

    @ParameterizedTest(name = "cluster {0}: {1} → {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    46 | ports: [{port: 80}], clusterIP: 10.0.0.10             | clusterIPs=[10.0.0.10]; ipFamilies=[IPv4]; ipFamilyPolicy=SingleStack
                    64 | ports: [{port: 80}], clusterIP: 10.0.0.10             | clusterIPs=[10.0.0.10]; ipFamilies=[IPv4]; ipFamilyPolicy=SingleStack
                    46 | ports: [{port: 80}], clusterIP: "fd00::1", clusterIPs: ["fd00::1", 10.0.0.1] | ipFamilies=[IPv6, IPv4]; ipFamilyPolicy=RequireDualStack
                    64 | clusterIP: None, selector: {app: web}                 | clusterIPs=[None]; ipFamilies=[IPv6]; ipFamilyPolicy=SingleStack
                    6  | clusterIP: None                                       | clusterIPs=[None]; ipFamilies=[IPv6, IPv4]; ipFamilyPolicy=RequireDualStack
                    46 | clusterIP: None, ipFamilyPolicy: SingleStack, ipFamilies: [IPv6] | ipFamilies=[IPv6]; ipFamilyPolicy=SingleStack
                    46 | type: ExternalName, externalName: x.example, internalTrafficPolicy: Cluster | internalTrafficPolicy=; ipFamilies=; ipFamilyPolicy=
                    46 | type: LoadBalancer, ports: [{port: 80}], clusterIP: 10.0.0.1 | allocateLoadBalancerNodePorts=true; internalTrafficPolicy=Cluster
                    """)
    void ofAnOldObject(String cluster, String spec, String expected) {
        Tree.Mapping read = ServiceFixtures.rules(cluster).readDefaults(ServiceFixtures.service(spec));
        ServiceFixtures.assertSays(read, expected);
        assertThat(ServiceFixtures.rules(cluster).readDefaults(read)).isEqualTo(read);
    }

    /** KEP-563, "Impact on pre-existing Services"; the families of addresses cannot be other than they are. */
    @ParameterizedTest(name = "cluster {0}: {1} → {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    46 | clusterIP: None                                       | ipFamilies=[IPv4, IPv6]; ipFamilyPolicy=PreferDualStack
                    64 | clusterIP: None                                       | ipFamilies=[IPv4, IPv6]; ipFamilyPolicy=PreferDualStack
                    6  | clusterIP: None                                       | ipFamilies=[IPv4, IPv6]; ipFamilyPolicy=PreferDualStack
                    64 | clusterIP: None, selector: {app: web}                 | ipFamilies=[IPv6]; ipFamilyPolicy=SingleStack
                    64 | ports: [{port: 80}], clusterIP: 10.0.0.10             | ipFamilies=[IPv4]; ipFamilyPolicy=SingleStack
                    """)
    void ofAnOldObjectByTheTextOfTheKep(String cluster, String spec, String expected) {
        ServiceRules kep = new ServiceRules(ServiceFixtures.rules(cluster).families(), Semantics.KEP_563);
        Tree.Mapping read = kep.readDefaults(ServiceFixtures.service(spec));
        ServiceFixtures.assertSays(read, expected);
        assertThat(kep.readDefaults(read)).isEqualTo(read);
    }
}
