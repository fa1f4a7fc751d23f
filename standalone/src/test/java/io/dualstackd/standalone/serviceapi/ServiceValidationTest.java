package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.standalone.serviceapi.ServiceRules.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for a new Service: each row breaks one of them, and the problem names field, value and rule. */
final class ServiceValidationTest {
    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    type: ClusterIP                                        | spec.ports: at least one port is required
                    ports: []                                              | spec.ports: at least one port is required
                    ports: [{port: 80}, {port: 81, name: b}]               | spec.ports[0].name: required when a service has more than one port
                    ports: [{port: 80, name: b}, {port: 81, name: b}]      | spec.ports[1].name: "b": the same name is used by spec.ports[0]
                    ports: [{port: 80, name: a}, {port: 80, name: b}]      | spec.ports[1].port: "80": the same protocol and port are used by spec.ports[0]
                    ports: [{port: 80, name: Web}]                         | spec.ports[0].name: "Web": must be a DNS label
                    ports: [{port: 0}]                                     | spec.ports[0].port: "0": must be 1 to 65535
                    ports: [{port: 65536}]                                 | spec.ports[0].port: "65536": must be 1 to 65535
                    ports: [{protocol: TCP}]                               | spec.ports[0].port: required
                    ports: [{port: 80, protocol: tcp}]                     | spec.ports[0].protocol: "tcp": must be one of TCP, UDP, SCTP
                    ports: [{port: 80, targetPort: 65536}]                 | spec.ports[0].targetPort: "65536": must be 1 to 65535
                    ports: [{port: 80, targetPort: -1}]                    | spec.ports[0].targetPort: "-1": must be 1 to 65535
                    ports: [{port: 80, targetPort: Http}]                  | spec.ports[0].targetPort: "Http": a port name is
                    ports: [{port: 80, targetPort: a--b}]                  | spec.ports[0].targetPort: "a--b": a port name is
                    ports: [{port: 80, targetPort: "80"}]                  | spec.ports[0].targetPort: "80": a port name is
                    ports: [{port: 80, targetPort: sixteen-letters-x}]     | spec.ports[0].targetPort: "sixteen-letters-x": a port name is
                    ports: [{port: 80, appProtocol: "http 2"}]             | spec.ports[0].appProtocol: "http 2": must be a name
                    ports: [{port: 80, nodePort: 30080}]                   | spec.ports[0].nodePort: "30080": may only be set for type NodePort
                    type: ExternalName, externalName: x.example, ports: [{port: 80, nodePort: 30080}] | spec.ports[0].nodePort: "30080": may only be set for type NodePort
                    type: NodePort, ports: [{port: 80, name: a, nodePort: 30080}, {port: 81, name: b, nodePort: 30080}] | spec.ports[1].nodePort: "30080": the same protocol and node port
                    type: LoadBalancer, ports: [{port: 10250}]             | spec.ports[0].port: "10250": may not be offered to the outside
                    type: Nodeport, ports: [{port: 80}]                    | spec.type: "Nodeport": must be one of ClusterIP, NodePort, LoadBalancer, ExternalName
                    type: NodePort, clusterIP: None, ports: [{port: 80}]   | spec.clusterIP: "None": None is only possible with type ClusterIP
                    type: LoadBalancer, clusterIP: None, ports: [{port: 80}] | spec.clusterIP: "None": None is only possible with type ClusterIP
                    type: ExternalName                                     | spec.externalName: required for type ExternalName
                    type: ExternalName, externalName: X.example            | spec.externalName: "X.example": must be a DNS name
                    type: ExternalName, externalName: x.example..          | spec.externalName: "x.example..": must be a DNS name
                    type: ExternalName, externalName: x.example, clusterIP: 10.0.0.1 | spec.clusterIP: "10.0.0.1": must not be set for type ExternalName
                    type: ExternalName, externalName: x.example, clusterIP: None | spec.clusterIP: "None": must not be set for type ExternalName
                    type: ExternalName, externalName: x.example, ipFamilies: [IPv4] | spec.ipFamilies: "[IPv4]": must not be set for type ExternalName
                    type: ExternalName, externalName: x.example, ipFamilyPolicy: SingleStack | spec.ipFamilyPolicy: "SingleStack": must not be set for type ExternalName
                    ports: [{port: 80}], selector: {"a b": c}              | spec.selector: "a b": a label: must be a name
                    ports: [{port: 80}], selector: {a: "c d"}              | spec.selector.a: "c d": must be letters
                    ports: [{port: 80}], sessionAffinity: ClientIp         | spec.sessionAffinity: "ClientIp": must be one of None, ClientIP
                    ports: [{port: 80}], sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 0}} | spec.sessionAffinityConfig.clientIP.timeoutSeconds: "0": must be 1 to 86400
                    ports: [{port: 80}], sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 86401}} | spec.sessionAffinityConfig.clientIP.timeoutSeconds: "86401": must be 1 to 86400
                    ports: [{port: 80}], externalIPs: [0.0.0.0]            | spec.externalIPs[0]: "0.0.0.0": must not be the unspecified address
                    ports: [{port: 80}], externalIPs: [127.0.0.1]          | spec.externalIPs[0]: "127.0.0.1": must not be a loopback address
                    ports: [{port: 80}], externalIPs: ["fe80::1"]          | spec.externalIPs[0]: "fe80::1": must not be a link-local address
                    ports: [{port: 80}], externalIPs: ["ff02::1"]          | spec.externalIPs[0]: "ff02::1": must not be a multicast address
                    ports: [{port: 80}], externalIPs: [192.0.2.007]        | spec.externalIPs[0]: "192.0.2.007": is not an IP address: leading zeros
                    ports: [{port: 80}], externalIPs: ["::ffff:192.0.2.7"] | spec.externalIPs[0]: "::ffff:192.0.2.7": is not an IP address
                    ports: [{port: 80}], externalTrafficPolicy: Local      | spec.externalTrafficPolicy: "Local": may only be set for
                    type: NodePort, ports: [{port: 80}], externalTrafficPolicy: local | spec.externalTrafficPolicy: "local": must be one of Cluster, Local
                    ports: [{port: 80}], internalTrafficPolicy: Nearby     | spec.internalTrafficPolicy: "Nearby": must be one of Cluster, Local
                    ports: [{port: 80}], internalTrafficPolicy: ""         | spec.internalTrafficPolicy: must be left out or not empty
                    type: NodePort, ports: [{port: 80}], healthCheckNodePort: 30000 | spec.healthCheckNodePort: "30000": may only be set for type LoadBalancer
                    type: LoadBalancer, ports: [{port: 80}], healthCheckNodePort: 30000 | spec.healthCheckNodePort: "30000": may only be set for type LoadBalancer
                    type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}], healthCheckNodePort: 65536 | spec.healthCheckNodePort: "65536": must be 0 to 65535
                    ports: [{port: 80}], loadBalancerSourceRanges: [10.0.0.0/8] | spec.loadBalancerSourceRanges: may only be set for type LoadBalancer
                    type: LoadBalancer, ports: [{port: 80}], loadBalancerSourceRanges: [10.0.0.0] | spec.loadBalancerSourceRanges[0]: "10.0.0.0": is not a network
                    type: LoadBalancer, ports: [{port: 80}], loadBalancerSourceRanges: [10.0.0.1/8] | spec.loadBalancerSourceRanges[0]: "10.0.0.1/8": has bits beyond its prefix; the network is 10.0.0.0/8
                    ports: [{port: 80}], allocateLoadBalancerNodePorts: true | spec.allocateLoadBalancerNodePorts: "true": may only be set for type LoadBalancer
                    ports: [{port: 80}], loadBalancerClass: example/x      | spec.loadBalancerClass: "example/x": may only be set for type LoadBalancer
                    type: LoadBalancer, ports: [{port: 80}], loadBalancerClass: "a b" | spec.loadBalancerClass: "a b": must be a name
                    ports: [{port: 80}], trafficDistribution: Near         | spec.trafficDistribution: "Near": must be one of PreferClose, PreferSameZone, PreferSameNode
                    ports: [{port: 80}], ipFamilies: [ipv4]                | spec.ipFamilies[0]: "ipv4": is not supported
                    ports: [{port: 80}], ipFamilies: [IPv4, IPv4], ipFamilyPolicy: PreferDualStack | spec.ipFamilies[1]: "IPv4": a family may be listed only once
                    ports: [{port: 80}], ipFamilyPolicy: Dual              | spec.ipFamilyPolicy: "Dual": is not supported
                    ports: [{port: 80}], clusterIPs: [10.0.0.1]            | spec.clusterIPs: "10.0.0.1": must be empty when clusterIP is not specified
                    ports: [{port: 80}], clusterIP: 10.0.0.1, clusterIPs: [10.0.0.2] | spec.clusterIPs[0]: "10.0.0.2": first value must match clusterIP
                    ports: [{port: 80}], clusterIP: 10.0.0.300             | spec.clusterIPs[0]: "10.0.0.300": is not an IP address
                    ports: [{port: 80}], clusterIP: 10.0.0.010             | spec.clusterIPs[0]: "10.0.0.010": is not an IP address: leading zeros
                    ports: [{port: 80}], clusterIP: none                   | spec.clusterIPs[0]: "none": is not an IP address
                    clusterIP: None, clusterIPs: [None, 10.0.0.1]          | spec.clusterIPs: "None,10.0.0.1": None must be the first and only value
                    ports: [{port: 80}], clusterIP: 10.0.0.1, ipFamilies: [IPv6] | spec.clusterIPs[0]: "10.0.0.1": an IPv6 value is expected, as ipFamilies[0] says
                    ports: [{port: 80}], ipFamilies: [IPv4, IPv6]          | spec.ipFamilyPolicy: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified
                    """)
    void refused(String spec, String rejection) {
        assertThat(ServiceFixtures.rejections(ServiceFixtures.rules("46").create(ServiceFixtures.service(spec))))
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith(rejection));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusterIP: None",
                "clusterIP: None, ports: []",
                "type: ExternalName, externalName: x.example",
                "type: ExternalName, externalName: x.example., ports: [{port: 80}], internalTrafficPolicy: Cluster",
                "ports: [{port: 80, targetPort: http, appProtocol: example.com/h2c}], selector: {example.com/app: Web_1.0, empty: \"\"}",
                "ports: [{port: 53, name: a}, {port: 53, name: b, protocol: UDP}, {port: 53, name: c, protocol: SCTP}]",
                "type: NodePort, ports: [{port: 53, name: a, nodePort: 30053}, {port: 53, name: b, protocol: UDP, nodePort: 30053}]",
                "type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{port: 80, nodePort: 30080}], loadBalancerClass: x/y",
                "type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 32000, ports: [{port: 80}]",
                "type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8, ' 2001:db8::/32 '], ports: [{port: 80}]",
                "externalIPs: [192.0.2.1], externalTrafficPolicy: Local, ports: [{port: 80}]",
                "trafficDistribution: PreferSameNode, publishNotReadyAddresses: true, ports: [{port: 10250}]",
                "clusterIP: '2000::A', ports: [{port: 80}]"
            })
    void accepted(String spec) {
        ServiceFixtures.settled(ServiceFixtures.rules("46").create(ServiceFixtures.service(spec)));
    }

    @ParameterizedTest(name = "{0} → {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    metadata: {name: Web}, spec: {clusterIP: None}         | metadata.name: "Web": must be a DNS label
                    metadata: {name: web, annotations: {service.kubernetes.io/topology-mode: Auto, service.kubernetes.io/topology-aware-hints: auto}}, spec: {clusterIP: None} | metadata.annotations[service.kubernetes.io/topology-mode]: "Auto": must be as service.kubernetes.io/topology-aware-hints, auto
                    metadata: {name: web, labels: {a/b/c: d}}, spec: {clusterIP: None} | metadata.labels: "a/b/c": a label: must be a name
                    metadata: {name: web, labels: {a: -d}}, spec: {clusterIP: None} | metadata.labels.a: "-d": must be letters
                    metadata: {name: web, annotations: {"a b": d}}, spec: {clusterIP: None} | metadata.annotations: "a b": an annotation: must be a name
                    metadata: {name: web, annotations: {service.beta.kubernetes.io/load-balancer-source-ranges: 10.0.0.0/8}}, spec: {clusterIP: None} | metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: "10.0.0.0/8": may only be set for type LoadBalancer
                    metadata: {name: web, annotations: {service.beta.kubernetes.io/load-balancer-source-ranges: "10.0.0.0/8, x"}}, spec: {type: LoadBalancer, ports: [{port: 80}]} | metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: " x": must be networks
                    metadata: {name: web}, spec: {type: LoadBalancer, ports: [{port: 80}]}, status: {loadBalancer: {ingress: [{ip: 300.1.1.1}]}} | status.loadBalancer.ingress[0].ip: "300.1.1.1": is not an IP address: an octet must be 0 to 255
                    metadata: {name: web}, spec: {type: LoadBalancer, ports: [{port: 80}]}, status: {loadBalancer: {ingress: [{hostname: x, ipMode: VIP}]}} | status.loadBalancer.ingress[0].ipMode: "VIP": may only be set together with ip
                    metadata: {name: web}, spec: {type: LoadBalancer, ports: [{port: 80}]}, status: {loadBalancer: {ingress: [{ip: 192.0.2.1, ipMode: Nat}]}} | status.loadBalancer.ingress[0].ipMode: "Nat": must be one of VIP, Proxy
                    metadata: {name: web}, spec: {type: LoadBalancer, ports: [{port: 80}]}, status: {loadBalancer: {ingress: [{hostname: 192.0.2.1}]}} | status.loadBalancer.ingress[0].hostname: "192.0.2.1": must be a DNS name, not an address
                    metadata: {name: web}, spec: {type: LoadBalancer, ports: [{port: 80}]}, status: {loadBalancer: {ingress: [{hostname: X_y}]}} | status.loadBalancer.ingress[0].hostname: "X_y": must be a DNS name
                    """)
    void refusedBesideTheSpec(String rest, String rejection) {
        Answer answer = ServiceFixtures.rules("46").create(ServiceFixtures.object(rest));
        assertThat(ServiceFixtures.rejections(answer))
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith(rejection));
    }

    @Test
    void aNameMayBeginWithADigit() {
        ServiceFixtures.settled(ServiceFixtures.rules("4")
                .create(ServiceFixtures.object("metadata: {name: 1web}, spec: {clusterIP: None}")));
    }

    @Test
    void reportsAllErrorsTogether() {
        List<String> rejections = ServiceFixtures.rejections(
                ServiceFixtures.rules("4")
                        .create(
                                ServiceFixtures.service(
                                        "ipFamilyPolicy: RequireDualStack, externalTrafficPolicy: Local, ports: [{port: 0}], trafficDistribution: x")));
        assertThat(rejections)
                .hasSize(4)
                .anyMatch(
                        text -> text.equals(
                                "spec.ipFamilyPolicy: \"RequireDualStack\": this cluster is not configured for dual-stack services"));
    }
}
