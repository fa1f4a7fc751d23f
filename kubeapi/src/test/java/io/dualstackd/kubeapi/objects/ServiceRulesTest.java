package io.dualstackd.kubeapi.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for a Service: each row breaks one of them, and the problem names the field and the rule. */
final class ServiceRulesTest {
    private static Decoded spec(String spec) {
        return Manifests.decode(
                "s.yaml", "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {" + spec + "}}");
    }

    private static Service valid(String spec) {
        Decoded decoded = spec(spec);
        assertThat(decoded.problems()).isEmpty();
        return (Service) decoded.objects().getFirst().object();
    }

    @ParameterizedTest(name = "{0} → {1}: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    clusterIP: 10.96.0.1                                        | spec.ports            | at least one port
                    clusterIP: 10.96.0.1, ports: {}                             | spec.ports            | must be a list, not an object
                    clusterIP: 10.96.0.1, ports: [80]                           | spec.ports[0]         | must be an object, not a whole number
                    clusterIP: 10.96.0.1, ports: [{}]                           | spec.ports[0].port    | required
                    clusterIP: 10.96.0.1, ports: [{port: 0}]                    | spec.ports[0].port    | must be 1 to 65535
                    clusterIP: 10.96.0.1, ports: [{port: 65536}]                | spec.ports[0].port    | must be 1 to 65535
                    clusterIP: 10.96.0.1, ports: [{port: -1}]                   | spec.ports[0].port    | must be 1 to 65535
                    clusterIP: 10.96.0.1, ports: [{port: 99999999999999999999999}] | spec.ports[0].port | must be 1 to 65535
                    clusterIP: 10.96.0.1, ports: [{port: "80"}]                 | spec.ports[0].port    | must be a whole number, not a text
                    clusterIP: 10.96.0.1, ports: [{port: 80.5}]                 | spec.ports[0].port    | must be a whole number, not a fraction
                    clusterIP: 10.96.0.1, ports: [{port: 80, protocol: tcp}]    | spec.ports[0].protocol | must be one of TCP, UDP, SCTP
                    clusterIP: 10.96.0.1, ports: [{port: 80, protocol: ICMP}]   | spec.ports[0].protocol | must be one of TCP, UDP, SCTP
                    clusterIP: 10.96.0.1, ports: [{port: 80, nodePort: 30000}]  | spec.ports[0].nodePort | may only be set for type NodePort
                    type: NodePort, clusterIP: 10.96.0.1, ports: [{port: 80, nodePort: 65536}] | spec.ports[0].nodePort | must be 0 to 65535
                    clusterIP: 10.96.0.1, ports: [{port: 80}, {port: 81, name: b}] | spec.ports[0].name | required when a service has more than one port
                    clusterIP: 10.96.0.1, ports: [{port: 80, name: b}, {port: 81, name: b}] | spec.ports[1].name | the same name is used by spec.ports[0]
                    clusterIP: 10.96.0.1, ports: [{port: 80, name: a}, {port: 80, name: b}] | spec.ports[1].port | the same protocol and port are used by spec.ports[0]
                    type: NodePort, clusterIP: 10.96.0.1, ports: [{port: 80, name: a, nodePort: 30000}, {port: 81, name: b, nodePort: 30000}] | spec.ports[1].nodePort | the same protocol and node port
                    clusterIP: 10.96.0.1, ports: [{port: 80, name: Web}]        | spec.ports[0].name    | must be a DNS label
                    clusterIP: 10.96.0.1, ports: [{port: 80, name: 5}]          | spec.ports[0].name    | must be a text, not a whole number
                    clusterIP: 10.96.0.256, ports: [{port: 80}]                 | spec.clusterIP        | an octet must be 0 to 255
                    clusterIP: "::ffff:10.96.0.1", ports: [{port: 80}]          | spec.clusterIP        | write it as IPv4
                    clusterIP: 127.0.0.1, ports: [{port: 80}]                   | spec.clusterIP        | must not be a loopback address
                    clusterIP: 10, ports: [{port: 80}]                          | spec.clusterIP        | must be a text, not a whole number
                    clusterIP: none, ports: [{port: 80}]                        | spec.clusterIP        | IPv4 has four
                    clusterIPs: [10.96.0.1], ports: [{port: 80}]                | spec.clusterIPs       | must be empty when clusterIP is not set
                    clusterIP: 10.96.0.1, clusterIPs: [10.96.0.2], ports: [{port: 80}] | spec.clusterIPs[0] | must be the same as clusterIP
                    clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, 10.96.0.2], ipFamilyPolicy: RequireDualStack, ports: [{port: 80}] | spec.clusterIPs[1] | only one cluster IP of each family
                    clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, "fd00::1"], ipFamilyPolicy: SingleStack, ports: [{port: 80}] | spec.clusterIPs | need ipFamilyPolicy
                    clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, "fd00::1", "fd00::2"], ipFamilyPolicy: RequireDualStack, ports: [{port: 80}] | spec.clusterIPs[2] | at most two
                    clusterIP: 10.96.0.1, ipFamilies: [IPv6], ports: [{port: 80}] | spec.clusterIP       | must be IPv6 as ipFamilies[0] says
                    clusterIP: 10.96.0.1, ipFamilies: [IPv4, IPv4], ports: [{port: 80}] | spec.ipFamilies[1] | only once
                    clusterIP: 10.96.0.1, ipFamilies: [ipv4], ports: [{port: 80}] | spec.ipFamilies[0]   | must be one of IPv4, IPv6
                    clusterIP: 10.96.0.1, ipFamilies: IPv4, ports: [{port: 80}] | spec.ipFamilies       | must be a list, not a text
                    clusterIP: None, clusterIPs: [None, 10.96.0.1]              | spec.clusterIPs       | first and only value
                    clusterIP: None, type: NodePort, ports: [{port: 80}]        | spec.clusterIP        | only possible with type ClusterIP
                    type: ExternalName, externalName: x.example, clusterIP: 10.96.0.1 | spec.clusterIP   | must not be set for type ExternalName
                    type: ExternalName                                          | spec.externalName     | required for type ExternalName
                    type: ExternalName, externalName: a_b.example               | spec.externalName     | must be a DNS name
                    type: ExternalName, externalName: "a.example.."             | spec.externalName     | must be a DNS name
                    type: Nodeport, clusterIP: 10.96.0.1, ports: [{port: 80}]   | spec.type             | must be one of ClusterIP, NodePort, LoadBalancer, ExternalName
                    clusterIP: 10.96.0.1, ports: [{port: 80}], externalIPs: [0.0.0.0] | spec.externalIPs[0] | must not be the unspecified address
                    clusterIP: 10.96.0.1, ports: [{port: 80}], externalIPs: ["fe80::1"] | spec.externalIPs[0] | must not be a link-local address
                    clusterIP: 10.96.0.1, ports: [{port: 80}], externalIPs: [224.0.0.1] | spec.externalIPs[0] | must not be a multicast address
                    clusterIP: 10.96.0.1, ports: [{port: 80}], externalTrafficPolicy: Local | spec.externalTrafficPolicy | may only be set for
                    type: NodePort, clusterIP: 10.96.0.1, ports: [{port: 80}], externalTrafficPolicy: local | spec.externalTrafficPolicy | must be one of Cluster, Local
                    clusterIP: 10.96.0.1, ports: [{port: 80}], internalTrafficPolicy: true | spec.internalTrafficPolicy | must be a text, not true or false
                    clusterIP: 10.96.0.1, ports: [{port: 80}], sessionAffinity: ClientIp | spec.sessionAffinity | must be one of None, ClientIP
                    clusterIP: 10.96.0.1, ports: [{port: 80}], sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 0}} | spec.sessionAffinityConfig.clientIP.timeoutSeconds | must be 1 to 86400
                    clusterIP: 10.96.0.1, ports: [{port: 80}], sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 86401}} | spec.sessionAffinityConfig.clientIP.timeoutSeconds | must be 1 to 86400
                    clusterIP: 10.96.0.1, ports: [{port: 80}], sessionAffinityConfig: {clientIP: {timeoutSeconds: 5}} | spec.sessionAffinityConfig | may only be set with sessionAffinity ClientIP
                    clusterIP: 10.96.0.1, ports: [{port: 80}], loadBalancerSourceRanges: [10.0.0.0/8] | spec.loadBalancerSourceRanges | may only be set for type LoadBalancer
                    type: LoadBalancer, clusterIP: 10.96.0.1, ports: [{port: 80}], loadBalancerSourceRanges: [10.0.0.0] | spec.loadBalancerSourceRanges[0] | no "/" and prefix length
                    type: LoadBalancer, clusterIP: 10.96.0.1, ports: [{port: 80}], loadBalancerSourceRanges: [10.0.0.0/33] | spec.loadBalancerSourceRanges[0] | prefix length
                    type: LoadBalancer, clusterIP: 10.96.0.1, ports: [{port: 80}], healthCheckNodePort: 30000 | spec.healthCheckNodePort | may only be set for
                    type: LoadBalancer, externalTrafficPolicy: Local, clusterIP: 10.96.0.1, ports: [{port: 80}], healthCheckNodePort: 65536 | spec.healthCheckNodePort | must be 0 to 65535
                    """)
    void refused(String spec, String field, String rule) {
        Decoded decoded = spec(spec);
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems()).anySatisfy(p -> {
            assertThat(p.isError()).isTrue();
            assertThat(p.toString())
                    .startsWith("s.yaml:1 (document 1): " + field + ": ")
                    .contains(rule);
            assertThat(p.object()).isEqualTo("Service default/web");
        });
    }

    @Test
    void aClusterIpMayBeOfTheNetworkOfIpv4LinkLocalAddresses() {
        assertThat(spec("clusterIP: 169.254.128.7, ports: [{port: 80}]").problems())
                .isEmpty();
        assertThat(spec("clusterIP: \"fe80::7\", ports: [{port: 80}]").problems())
                .hasSize(1);
    }

    @Test
    void reportsAllProblemsTogether() {
        Decoded decoded = spec("clusterIP: x, ports: [{port: 0}, {port: 1}], type: Y");
        assertThat(decoded.problems()).hasSizeGreaterThanOrEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Web", "web.shop", "-web", "web-", "web_1", "ü"})
    void badNames(String name) {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: v1, kind: Service, metadata: {name: " + name
                        + "}, spec: {clusterIP: 10.0.0.1, ports: [{port: 1}]}}");
        assertThat(decoded.objects()).isEmpty();
        assertThat(decoded.problems().getFirst().toString())
                .contains("metadata.name")
                .contains("must be a DNS label");
    }

    @Test
    void aNameMayHave63Characters() {
        String text =
                "{apiVersion: v1, kind: Service, metadata: {name: %s}, spec: {clusterIP: 10.0.0.1, ports: [{port: 1}]}}";
        assertThat(Manifests.decode("s", text.formatted("a".repeat(63))).objects())
                .hasSize(1);
        assertThat(Manifests.decode("s", text.formatted("a".repeat(64))).objects())
                .isEmpty();
    }

    @Test
    void badNamespace() {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: v1, kind: Service, metadata: {name: a, namespace: A/B}, spec: {clusterIP: None}}");
        assertThat(decoded.problems().getFirst().toString()).contains("metadata.namespace");
    }

    @Test
    void familiesFollowFromTheAddresses() {
        Service service = valid(
                "clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, \"fd00::1\"], ipFamilyPolicy: PreferDualStack, ports: [{port: 80}]");
        assertThat(service.ipFamilies()).containsExactly(IpFamily.IPV4, IpFamily.IPV6);
        assertThat(valid("clusterIP: \"fd00::1\", ports: [{port: 80}]").ipFamilies())
                .containsExactly(IpFamily.IPV6);
        assertThat(valid("clusterIP: \"fd00::1\", ports: [{port: 80}]").clusterIps())
                .containsExactly(Ip.parse("fd00::1"));
    }

    @Test
    void twoAddressesWithoutPolicyAreTakenWithAWarning() {
        Decoded decoded = spec("clusterIP: 10.96.0.1, clusterIPs: [10.96.0.1, \"fd00::1\"], ports: [{port: 80}]");
        assertThat(decoded.objects()).hasSize(1);
        assertThat(decoded.problems()).hasSize(1).noneMatch(Problem::isError);
    }

    @Test
    void leadingZerosAreTakenWithAWarning() {
        Decoded decoded = spec("type: LoadBalancer, clusterIP: 172.30.0.041, ports: [{port: 80}], "
                + "loadBalancerSourceRanges: [203.0.113.000/025], externalIPs: [203.0.113.007]");
        Service service = (Service) decoded.objects().getFirst().object();
        assertThat(service.clusterIps()).containsExactly(Ip.parse("172.30.0.41"));
        assertThat(service.loadBalancerSourceRanges())
                .extracting(Object::toString)
                .containsExactly("203.0.113.0/25");
        assertThat(decoded.problems()).hasSize(3).noneMatch(Problem::isError);
        assertThat(decoded.problems().getFirst().toString())
                .contains("spec.clusterIP: \"172.30.0.041\": leading zeros are ignored, read as 172.30.0.41");
    }

    @Test
    void defaults() {
        Service service = valid("clusterIP: 10.96.0.1, ports: [{port: 80}]");
        assertThat(service.type()).isEqualTo(Service.Type.CLUSTER_IP);
        assertThat(service.namespace()).isEqualTo("default");
        assertThat(service.sessionAffinity()).isEqualTo(new Service.SessionAffinity.None());
        assertThat(service.internalTrafficPolicy()).isEqualTo(Service.Policy.CLUSTER);
        assertThat(valid("clusterIP: 10.96.0.1, ports: [{port: 80}], sessionAffinity: ClientIP")
                        .sessionAffinity())
                .isEqualTo(new Service.SessionAffinity.ClientIp(java.time.Duration.ofHours(3)));
    }

    @Test
    void onePortNumberForTwoProtocols() {
        assertThat(valid("type: NodePort, clusterIP: 10.96.0.1, ports: [{name: t, port: 53, nodePort: 30053}, "
                                + "{name: u, port: 53, protocol: UDP, nodePort: 30053}]")
                        .ports())
                .hasSize(2);
    }

    @Test
    void headlessAndExternalNameNeedNoPorts() {
        assertThat(valid("clusterIP: None").clusterIp()).isEqualTo(new Service.ClusterIp.None());
        assertThat(valid("clusterIP: None, clusterIPs: [None]").clusterIps()).isEmpty();
        assertThat(valid("type: ExternalName, externalName: x.example").type()).isEqualTo(Service.Type.EXTERNAL_NAME);
    }

    @Test
    void externalNameAndPublishNotReadyAddressesDependOnType() {
        assertThat(valid("type: ExternalName, externalName: x.example.").externalName())
                .isEqualTo("x.example.");
        assertThat(valid("clusterIP: None, externalName: x.example").externalName())
                .isEmpty();
        assertThat(valid("clusterIP: None").publishNotReadyAddresses()).isFalse();
        assertThat(valid("clusterIP: None, publishNotReadyAddresses: true").publishNotReadyAddresses())
                .isTrue();
    }

    @Test
    void aServiceWithoutAddressIsAWarning() {
        Decoded decoded = spec("ports: [{port: 80}]");
        assertThat(decoded.objects()).hasSize(1);
        assertThat(decoded.problems().getFirst().toString()).contains("no clusterIP is set");
    }

    @Test
    void ipModeWithoutIp() {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: LoadBalancer, clusterIP: 10.0.0.1, "
                        + "ports: [{port: 1}]}, status: {loadBalancer: {ingress: [{hostname: x, ipMode: VIP}, {ip: 300.1.1.1}]}}}");
        assertThat(decoded.problems())
                .extracting(Problem::toString)
                .satisfiesExactly(
                        p -> assertThat(p).contains("status.loadBalancer.ingress[0].ipMode"),
                        p -> assertThat(p).contains("status.loadBalancer.ingress[1].ip: \"300.1.1.1\""));
    }

    @Test
    void proxyNameIsKept() {
        Decoded decoded = Manifests.decode(
                "s.yaml",
                "{apiVersion: v1, kind: Service, metadata: {name: a, labels: {service.kubernetes.io/service-proxy-name: \"\"}}, "
                        + "spec: {clusterIP: 10.0.0.1, ports: [{port: 1}]}}");
        assertThat(((Service) decoded.objects().getFirst().object()).proxyName())
                .contains("");
    }
}
