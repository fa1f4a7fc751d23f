package io.dualstackd.kubeapi.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Service → service ports: every rule of the derivation. */
final class ServiceViewsTest {
    private static final String DUAL = "clusterIP: 10.96.0.10, clusterIPs: [10.96.0.10, \"fd00:96::a\"], "
            + "ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack, ";

    private static Service service(String labels, String spec, String status) {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop, labels: {" + labels
                        + "}}, spec: {" + spec + "}, status: {" + status + "}}");
        assertThat(decoded.problems()).filteredOn(Problem::isError).isEmpty();
        return (Service) decoded.objects().getFirst().object();
    }

    private static ServiceView view(String spec, IpFamily family) {
        return ServiceViews.of(service("", spec, ""), List.of(), family, "n1");
    }

    private static ServicePort port(String spec, String status, IpFamily family) {
        ServiceView view = ServiceViews.of(service("", spec, status), List.of(), family, "n1");
        assertThat(view.ports()).hasSize(1);
        return view.ports().getFirst().port();
    }

    @ParameterizedTest(name = "{0}: {1} / {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
        clusterIP: 10.96.0.10                                   | 10.96.0.10 | -
        clusterIP: "fd00:96::a"                                 | -          | fd00:96::a
        clusterIP: 10.96.0.10, clusterIPs: [10.96.0.10, "fd00:96::a"], ipFamilies: [IPv4, IPv6] | 10.96.0.10 | fd00:96::a
        clusterIP: "fd00:96::a", clusterIPs: ["fd00:96::a", 10.96.0.10], ipFamilies: [IPv6, IPv4] | 10.96.0.10 | fd00:96::a
        clusterIP: 10.96.0.10, ipFamilies: [IPv4]               | 10.96.0.10 | -
        clusterIP: 172.30.0.041                                 | 172.30.0.41 | -
        clusterIP: None                                         | -          | -
        type: ClusterIP                                         | -          | -
        type: ExternalName, externalName: a.example             | -          | -
        """)
    void clusterIpOfEachFamily(String spec, String v4, String v6) {
        String ports = ", ports: [{port: 80}]";
        for (IpFamily family : IpFamily.values()) {
            ServiceView view = view(spec + ports, family);
            String want = family == IpFamily.IPV4 ? v4 : v6;
            assertThat(view.ports())
                    .extracting(p -> p.port().clusterIp().toString())
                    .isEqualTo(want == null ? List.of() : List.of(want));
            assertThat(view.key()).hasToString("shop/web");
            assertThat(view.family()).isEqualTo(family);
        }
    }

    @Test
    void anotherProxysServiceHasNoPorts() {
        Service service = service(
                "service.kubernetes.io/service-proxy-name: \"\"", "clusterIP: 10.96.0.10, ports: [{port: 80}]", "");
        assertThat(ServiceViews.of(service, List.of(), IpFamily.IPV4, "n1").ports())
                .isEmpty();
    }

    @Test
    void oneServicePortPerPort() {
        ServiceView view = view(
                DUAL + "type: NodePort, ports: [{name: dns, port: 53, nodePort: 30053}, "
                        + "{name: dns-udp, port: 53, protocol: UDP}]",
                IpFamily.IPV6);
        assertThat(view.ports())
                .extracting(p -> p.port().name() + " " + p.port().name().protocol() + " "
                        + p.port().port() + " " + p.port().nodePort())
                .containsExactly("shop/web:dns tcp 53 30053", "shop/web:dns-udp udp 53 0");
    }

    @Test
    void aPortWithoutNameHasTheNameOfTheService() {
        assertThat(port("clusterIP: 10.96.0.10, ports: [{port: 80}]", "", IpFamily.IPV4)
                        .name())
                .hasToString("shop/web");
    }

    @Test
    void externalAddressesAreThoseOfTheFamily() {
        String spec = DUAL
                + "type: LoadBalancer, externalIPs: [203.0.113.7, \"2001:db8::7\", 203.0.113.007], ports: [{port: 80}]";
        String status =
                "loadBalancer: {ingress: [{ip: 198.51.100.1}, {ip: 198.51.100.2, ipMode: Proxy}, {hostname: x}, "
                        + "{ip: \"2001:db8::1\", ipMode: VIP}]}";
        ServicePort v4 = port(spec, status, IpFamily.IPV4);
        assertThat(v4.externalIps()).extracting(Object::toString).containsExactly("203.0.113.7");
        assertThat(v4.loadBalancerIps()).extracting(Object::toString).containsExactly("198.51.100.1");
        ServicePort v6 = port(spec, status, IpFamily.IPV6);
        assertThat(v6.externalIps()).extracting(Object::toString).containsExactly("2001:db8::7");
        assertThat(v6.loadBalancerIps()).extracting(Object::toString).containsExactly("2001:db8::1");
    }

    @ParameterizedTest(name = "{0}: {1} / {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        192.168.0.0/24, " 203.0.113.0/25"            | 192.168.0.0/24 203.0.113.0/25 | ``
        203.0.113.000/025                            | 203.0.113.0/25                | ``
        10.0.0.0/8, 0.0.0.0/0, "2001:db8::/32"       | ``                            | 2001:db8::/32
        10.0.0.0/8, "::/0"                           | 10.0.0.0/8                    | ``
        10.0.0.5/8                                   | 10.0.0.0/8                    | ``
        """)
    void sourceRanges(String ranges, String v4, String v6) {
        String spec = DUAL + "type: LoadBalancer, ports: [{port: 80}], loadBalancerSourceRanges: [" + ranges + "]";
        assertThat(String.join(" ", strings(port(spec, "", IpFamily.IPV4).sourceRanges())))
                .isEqualTo(v4);
        assertThat(String.join(" ", strings(port(spec, "", IpFamily.IPV6).sourceRanges())))
                .isEqualTo(v6);
    }

    private static List<String> strings(List<?> values) {
        return values.stream().map(Object::toString).toList();
    }

    @Test
    void affinity() {
        String spec = "clusterIP: 10.96.0.10, ports: [{port: 80}]";
        assertThat(port(spec, "", IpFamily.IPV4).affinity()).isEqualTo(Affinity.NONE);
        assertThat(port(spec + ", sessionAffinity: ClientIP", "", IpFamily.IPV4).affinity())
                .isEqualTo(new Affinity.ClientIp(10_800));
        assertThat(port(
                                spec
                                        + ", sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP:"
                                        + " {timeoutSeconds: 7}}",
                                "",
                                IpFamily.IPV4)
                        .affinity())
                .isEqualTo(new Affinity.ClientIp(7));
    }

    @Test
    void externalPolicyLocalNeedsTheChanceOfExternalDestinations() {
        String local = "externalTrafficPolicy: Local, ports: [{port: 80}]";
        assertThat(port(DUAL + "type: NodePort, " + local, "", IpFamily.IPV4).externalPolicy())
                .isEqualTo(TrafficPolicy.LOCAL);
        assertThat(port(DUAL + "type: LoadBalancer, " + local, "", IpFamily.IPV4)
                        .externalPolicy())
                .isEqualTo(TrafficPolicy.LOCAL);
        // The other family's external address is enough to make the policy count; it just meets no destination.
        ServicePort v6 = port(DUAL + "externalIPs: [203.0.113.7], " + local, "", IpFamily.IPV6);
        assertThat(v6.externalPolicy()).isEqualTo(TrafficPolicy.LOCAL);
        assertThat(v6.externallyAccessible()).isFalse();
        assertThat(v6.usesLocalEndpoints()).isFalse();
        Service odd = withExternalPolicy(service("", "clusterIP: 10.96.0.10, ports: [{port: 80}]", ""));
        PortView port =
                ServiceViews.of(odd, List.of(), IpFamily.IPV4, "n1").ports().getFirst();
        assertThat(port.port().externalPolicy()).isEqualTo(TrafficPolicy.CLUSTER);
    }

    /** As an object from an old API server could be: our own validation refuses it. */
    private static Service withExternalPolicy(Service s) {
        return Service.builder(s.namespace(), s.name())
                .type(s.type())
                .clusterIps(s.clusterIp(), s.clusterIps(), List.of())
                .ports(s.ports())
                .externalTrafficPolicy(Service.Policy.LOCAL)
                .healthCheckNodePort(30999)
                .build();
    }

    @ParameterizedTest(name = "{0} internal={1}: cluster={2} local={3}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        type: ClusterIP                                                    | Cluster | true  | false
        type: ClusterIP                                                    | Local   | false | true
        type: NodePort, nodePort: 30080                                    | Cluster | true  | false
        type: NodePort, nodePort: 30080                                    | Local   | true  | true
        type: NodePort, nodePort: 30080, externalTrafficPolicy: Local      | Cluster | true  | true
        type: NodePort, nodePort: 30080, externalTrafficPolicy: Local      | Local   | true  | true
        type: NodePort, externalTrafficPolicy: Local                       | Cluster | true  | false
        """)
    void selectsEndpoints(String spec, String internal, boolean cluster, boolean local) {
        String nodePort = spec.contains("nodePort: 30080") ? ", nodePort: 30080" : "";
        ServicePort port = port(
                spec.replace(", nodePort: 30080", "") + ", clusterIP: 10.96.0.10, internalTrafficPolicy: " + internal
                        + ", ports: [{port: 80" + nodePort + "}]",
                "",
                IpFamily.IPV4);
        assertThat(port.usesClusterEndpoints()).isEqualTo(cluster);
        assertThat(port.usesLocalEndpoints()).isEqualTo(local);
    }

    @Test
    void healthCheckNodePort() {
        String local =
                "clusterIP: 10.96.0.10, type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30999, "
                        + "ports: [{port: 80}]";
        assertThat(port(local, "", IpFamily.IPV4).healthCheckNodePort()).isEqualTo(30999);
        Service odd = withExternalPolicy(service("", "clusterIP: 10.96.0.10, type: NodePort, ports: [{port: 80}]", ""));
        assertThat(ServiceViews.of(odd, List.of(), IpFamily.IPV4, "n1")
                        .ports()
                        .getFirst()
                        .port()
                        .healthCheckNodePort())
                .isZero();
    }
}
