package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.standalone.serviceapi.ServiceRules.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Service that is written again: which of its values it keeps, which go with its type, and what may not change. */
final class ServiceUpdateTest {
    private static final ServiceRules RULES = ServiceFixtures.rules("46");
    private static final String DUAL =
            "clusterIP: 10.0.0.10, clusterIPs: [10.0.0.10, '2000::1'], ipFamilies: [IPv4, IPv6], "
                    + "ipFamilyPolicy: RequireDualStack, ";
    private static final String SINGLE =
            "clusterIP: 10.0.0.10, clusterIPs: [10.0.0.10], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, ";
    private static final String HEADLESS = "clusterIP: None, clusterIPs: [None], ipFamilies: [IPv4], "
            + "ipFamilyPolicy: SingleStack, selector: {app: web}, ";
    private static final String BALANCER = SINGLE + "type: LoadBalancer, allocateLoadBalancerNodePorts: true, "
            + "externalTrafficPolicy: Local, healthCheckNodePort: 32100, "
            + "ports: [{name: a, port: 80, nodePort: 32080}, {name: b, port: 81, nodePort: 32081}], ";

    private static String old(String word) {
        return switch (word) {
            case "single" -> SINGLE + ServiceFixtures.PORT;
            case "dual" -> DUAL + ServiceFixtures.PORT;
            case "headless" -> HEADLESS + ServiceFixtures.PORT;
            case "balancer" -> BALANCER;
            case "classed" -> BALANCER + "loadBalancerClass: x/y";
            case "unnumbered" ->
                SINGLE + "type: LoadBalancer, allocateLoadBalancerNodePorts: false, "
                        + "ports: [{name: a, port: 80, nodePort: 32080}, {name: b, port: 81}]";
            case "nodeport" ->
                SINGLE + "type: NodePort, externalTrafficPolicy: Local, "
                        + "ports: [{name: a, port: 80, nodePort: 32080}, {name: b, port: 81, nodePort: 32081}]";
            case "external" -> "type: ExternalName, externalName: x.example";
            case "outside" ->
                SINGLE + "externalIPs: [192.0.2.1], externalTrafficPolicy: Local, " + ServiceFixtures.PORT;
            default -> throw new IllegalArgumentException(word);
        };
    }

    private static Answer update(String old, String spec) {
        return RULES.update(ServiceFixtures.service(spec), ServiceFixtures.service(old(old)));
    }

    @ParameterizedTest(name = "{0}, then {1} → {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    # 2.2: one field follows the other
                    single   | ports: [{port: 80}], clusterIP: 10.0.0.10, clusterIPs: [10.0.0.10]  | clusterIP=10.0.0.10; clusterIPs=[10.0.0.10]
                    single   | ports: [{port: 80}], clusterIP: 10.0.0.10, clusterIPs: [10.0.0.10, "2000::1"], ipFamilyPolicy: RequireDualStack | clusterIPs=[10.0.0.10, 2000::1]; ipFamilies=[IPv4, IPv6]
                    dual     | ports: [{port: 80}], clusterIP: 10.0.0.10, clusterIPs: [10.0.0.10], ipFamilyPolicy: SingleStack | clusterIPs=[10.0.0.10]; ipFamilies=[IPv4]
                    single   | ports: [{port: 80}], clusterIP: "", clusterIPs: [10.0.0.10]         | clusterIP=10.0.0.10; clusterIPs=[10.0.0.10]
                    single   | ports: [{port: 80}], clusterIP: 10.0.0.10                           | clusterIPs=[10.0.0.10]
                    dual     | ports: [{port: 80}], clusterIP: 10.0.0.10                           | clusterIPs=[10.0.0.10, 2000::1]; ipFamilyPolicy=RequireDualStack
                    # 2.3: what is not named is kept
                    dual     | ports: [{port: 80}]                                                 | clusterIP=10.0.0.10; clusterIPs=[10.0.0.10, 2000::1]; ipFamilies=[IPv4, IPv6]; ipFamilyPolicy=RequireDualStack
                    balancer | type: LoadBalancer, externalTrafficPolicy: Local, ports: [{name: a, port: 80}, {name: b, port: 81}] | clusterIPs=[10.0.0.10]; ports[0].nodePort=32080; ports[1].nodePort=32081; healthCheckNodePort=32100
                    balancer | type: NodePort, ports: [{name: a, port: 80}, {name: b, port: 81}]   | clusterIPs=[10.0.0.10]; ports[0].nodePort=32080; ports[1].nodePort=32081; healthCheckNodePort=
                    balancer | ports: [{name: a, port: 80}, {name: b, port: 81}]                   | clusterIPs=[10.0.0.10]; ports[0].nodePort=; ports[1].nodePort=; healthCheckNodePort=
                    balancer | type: ExternalName, externalName: x.example                         | clusterIP=; clusterIPs=; ipFamilies=; ipFamilyPolicy=; ports=; healthCheckNodePort=
                    balancer | type: LoadBalancer, ports: [{name: b, port: 8081}, {name: c, port: 82}] | ports[0].nodePort=32081; ports[1].nodePort=; healthCheckNodePort=
                    balancer | type: LoadBalancer, ports: [{name: a, port: 80}, {name: c, port: 81, nodePort: 32080}] | ports[0].nodePort=; ports[1].nodePort=32080
                    balancer | type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{name: a, port: 80}, {name: b, port: 81, nodePort: 32081}] | ports[0].nodePort=; ports[1].nodePort=32081
                    unnumbered | type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{name: a, port: 80}, {name: b, port: 81}] | ports[0].nodePort=; ports[1].nodePort=
                    unnumbered | type: LoadBalancer, ports: [{name: a, port: 80, nodePort: 32080}, {name: b, port: 81}] | ports[0].nodePort=32080; ports[1].nodePort=
                    # 2.4: what its author did not touch goes with the type
                    dual     | type: ExternalName, externalName: x.example, clusterIP: 10.0.0.10, clusterIPs: [10.0.0.10, "2000::1"], ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack, internalTrafficPolicy: Cluster | clusterIP=; clusterIPs=; ipFamilies=; ipFamilyPolicy=; internalTrafficPolicy=Cluster
                    headless | type: ExternalName, externalName: x.example, clusterIP: None, clusterIPs: [None], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack | clusterIP=; clusterIPs=; ipFamilies=; ipFamilyPolicy=
                    nodeport | type: ClusterIP, externalTrafficPolicy: Local, ports: [{name: a, port: 80, nodePort: 32080}, {name: b, port: 82, nodePort: 32081}] | ports[0].nodePort=; ports[1].nodePort=; externalTrafficPolicy=
                    nodeport | type: ClusterIP, externalTrafficPolicy: Local, externalIPs: [192.0.2.1], ports: [{name: a, port: 80, nodePort: 32081}] | ports[0].nodePort=; externalTrafficPolicy=Local
                    outside  | externalTrafficPolicy: Local, ports: [{port: 80}]                   | externalTrafficPolicy=; externalIPs=
                    classed  | type: NodePort, allocateLoadBalancerNodePorts: true, loadBalancerClass: x/y, externalTrafficPolicy: Local, healthCheckNodePort: 32100, ports: [{name: a, port: 80, nodePort: 32080}] | allocateLoadBalancerNodePorts=; loadBalancerClass=; healthCheckNodePort=; externalTrafficPolicy=Local; ports[0].nodePort=32080
                    balancer | type: LoadBalancer, externalTrafficPolicy: Cluster, healthCheckNodePort: 32100, ports: [{name: a, port: 80}] | healthCheckNodePort=; ports[0].nodePort=32080
                    # 3.3: what may change
                    headless | clusterIP: None, ipFamilies: [IPv6], selector: {app: web}           | ipFamilies=[IPv6]
                    external | ports: [{port: 80}], ipFamilyPolicy: PreferDualStack                | type=ClusterIP; clusterIPs=; ipFamilies=[IPv4, IPv6]
                    external | ports: [{port: 80}], clusterIP: 10.0.0.9                            | clusterIPs=[10.0.0.9]; ipFamilies=[IPv4]
                    external | clusterIP: None                                                     | clusterIPs=[None]; ipFamilies=[IPv4, IPv6]; ipFamilyPolicy=RequireDualStack
                    single   | type: NodePort, ports: [{port: 80}]                                 | clusterIPs=[10.0.0.10]; ports[0].nodePort=; externalTrafficPolicy=Cluster
                    """)
    void settled(String old, String spec, String expected) {
        ServiceFixtures.assertSays(ServiceFixtures.settled(update(old, spec)).object(), expected);
    }

    @ParameterizedTest(name = "{0}, then {1} → {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    single   | ports: [{port: 80}], clusterIP: 10.0.0.11, clusterIPs: [10.0.0.11]  | spec.clusterIPs[0]: "10.0.0.11": may not change once set
                    single   | ports: [{port: 80}], clusterIP: 10.0.0.11                           | spec.clusterIPs[0]: "10.0.0.11": may not change once set
                    dual     | ports: [{port: 80}], clusterIP: 10.0.0.11                           | spec.clusterIPs[0]: "10.0.0.11": may not change once set
                    dual     | ports: [{port: 80}], clusterIP: 10.0.0.10, clusterIPs: [10.0.0.10, "2000::2"] | spec.clusterIPs[1]: "2000::2": may not change once set
                    single   | ports: [{port: 80}], clusterIP: "", clusterIPs: [10.0.0.11]         | spec.clusterIPs[0]: "10.0.0.11": first value must match clusterIP, 10.0.0.10
                    dual     | ports: [{port: 80}], clusterIP: None, clusterIPs: [10.0.0.11, "2000::1"] | spec.clusterIPs[0]: "10.0.0.11": first value must match clusterIP, None
                    dual     | ports: [{port: 80}], clusterIPs: [10.0.0.10], clusterIP: 10.0.0.10  | spec.ipFamilyPolicy: "RequireDualStack": must be 'SingleStack' to release the secondary cluster IP
                    dual     | ports: [{port: 80}], ipFamilies: [IPv4]                             | spec.ipFamilyPolicy: "RequireDualStack": must be 'SingleStack' to release the secondary IP family
                    single   | ports: [{port: 80}], ipFamilies: [IPv6]                             | spec.clusterIPs[0]: "10.0.0.10": an IPv6 value is expected, as ipFamilies[0] says
                    single   | clusterIP: None, selector: {app: web}                               | spec.clusterIPs[0]: "None": may not change once set
                    headless | ports: [{port: 80}], clusterIP: 10.0.0.10                           | spec.clusterIPs[0]: "10.0.0.10": may not change once set
                    balancer | type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 32101, ports: [{name: a, port: 80}] | spec.healthCheckNodePort: "32101": may not change while it is needed; it is 32100
                    balancer | type: NodePort, healthCheckNodePort: 32101, ports: [{name: a, port: 80}] | spec.healthCheckNodePort: "32101": may only be set for type LoadBalancer
                    balancer | type: NodePort, allocateLoadBalancerNodePorts: false, ports: [{name: a, port: 80}] | spec.allocateLoadBalancerNodePorts: "false": may only be set for type LoadBalancer
                    balancer | type: LoadBalancer, loadBalancerClass: x/y, ports: [{name: a, port: 80}] | spec.loadBalancerClass: "x/y": may not change once set
                    classed  | type: LoadBalancer, loadBalancerClass: x/z, ports: [{name: a, port: 80}] | spec.loadBalancerClass: "x/z": may not change once set
                    classed  | type: LoadBalancer, ports: [{name: a, port: 80}]                    | spec.loadBalancerClass: may not change once set
                    classed  | ports: [{name: a, port: 80}], loadBalancerClass: x/z                | spec.loadBalancerClass: "x/z": may only be set for type LoadBalancer
                    nodeport | ports: [{name: a, port: 80, nodePort: 32099}]                       | spec.ports[0].nodePort: "32099": may only be set for type NodePort
                    nodeport | ports: [{name: a, port: 80}], externalTrafficPolicy: Cluster        | spec.externalTrafficPolicy: "Cluster": may only be set for
                    single   | type: ExternalName, externalName: x.example, clusterIP: 10.0.0.11, clusterIPs: [10.0.0.11] | spec.clusterIP: "10.0.0.11": must not be set for type ExternalName
                    single   | type: ExternalName, externalName: x.example, ipFamilyPolicy: PreferDualStack | spec.ipFamilyPolicy: "PreferDualStack": must not be set for type ExternalName
                    """)
    void refused(String old, String spec, String rejection) {
        assertThat(ServiceFixtures.rejections(update(old, spec)))
                .anySatisfy(text -> assertThat(text).startsWith(rejection));
    }

    @Test
    void storedValueMayStay() {
        String old =
                "type: LoadBalancer, clusterIP: 10.0.0.010, clusterIPs: [10.0.0.010], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, "
                        + "externalIPs: [192.0.2.007], loadBalancerSourceRanges: [10.0.0.1/8], ports: [{port: 80, nodePort: 32080}]";
        ServiceFixtures.settled(RULES.update(ServiceFixtures.service(old), ServiceFixtures.service(old)));
        assertThat(ServiceFixtures.rejections(RULES.create(ServiceFixtures.service(old))))
                .hasSize(3);
    }

    @Test
    void aTextThatIsReadAgainIsNoWrite() {
        Tree.Mapping given =
                ServiceFixtures.service("ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6], " + ServiceFixtures.PORT);
        Tree.Mapping stored = ServiceTree.with(
                ServiceFixtures.settled(RULES.create(given)).object(),
                List.of("2000::1", "10.0.0.1"),
                List.of(new PortFields("", Proto.TCP, 80, 0)),
                0);
        ServiceFixtures.assertSays(stored, "ipFamilies=[IPv6, IPv4]");
        assertThat(RULES.update(given, stored)).isEqualTo(new Answer.Settled(stored, ServiceFields.of(stored)));
        // Once the text differs, it is a write, and requests that a family be given up.
        Tree.Mapping other = ServiceFixtures.object("metadata: {name: web, labels: {a: b}}, "
                + "spec: {ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6], " + ServiceFixtures.PORT + "}");
        assertThat(ServiceFixtures.rejections(RULES.update(other, stored)))
                .containsExactly(
                        "spec.ipFamilyPolicy: \"PreferDualStack\": must be 'SingleStack' to release the secondary IP family");
        // The fingerprint of a printed object means nothing in a text.
        assertThat(ServiceFixtures.settled(RULES.update(stored, stored)).object())
                .isEqualTo(stored);
    }

    @Test
    void metadataOfTheServerStays() {
        Tree.Mapping old = ServiceFixtures.object("metadata: {name: web, uid: u-1, resourceVersion: '7', "
                + "creationTimestamp: '2026-01-01T00:00:00Z', labels: {a: b}}, spec: {" + old("single") + "}");
        Tree.Mapping given = ServiceFixtures.object(
                "metadata: {name: web, uid: u-2, generation: 3}, spec: {" + ServiceFixtures.PORT + "}");
        ServiceFixtures.assertSays(
                ServiceFixtures.settled(RULES.update(given, old)).object(),
                "metadata.uid=u-1; metadata.resourceVersion=7; metadata.creationTimestamp=2026-01-01T00:00:00Z; "
                        + "metadata.labels=; metadata.generation=");
    }

    @Test
    void numbersArePutIn() {
        Tree.Mapping settled = ServiceFixtures.settled(RULES.create(ServiceFixtures.service(
                        "type: LoadBalancer, externalTrafficPolicy: Local, ipFamilyPolicy: PreferDualStack, "
                                + "ports: [{port: 80, name: a}, {port: 81, name: b}]")))
                .object();
        ServiceFields fields = ServiceFields.of(settled);
        assertThat(fields.needsClusterIps() && fields.needsNodePorts() && fields.needsHealthPort())
                .isTrue();
        Tree.Mapping whole = ServiceTree.with(
                settled,
                List.of("10.0.0.1", "2000::1"),
                List.of(
                        fields.ports().get(0).withNodePort(32000),
                        fields.ports().get(1)),
                32001);
        ServiceFixtures.assertSays(
                whole,
                "clusterIP=10.0.0.1; clusterIPs=[10.0.0.1, 2000::1]; ports[0].nodePort=32000; ports[1].nodePort=; "
                        + "healthCheckNodePort=32001");
        assertThat(ServiceTree.with(whole, List.of(), fields.ports(), 0)).isEqualTo(settled);
    }
}
