package io.dualstackd.kubeapi.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.random.Tries;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A file is damaged at random: the answer is always objects and problems, never an exception. */
@Tag("slow")
final class ManifestsFuzzTest {
    private static final String TEXT = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop, labels: {a: b}}
            spec:
              type: LoadBalancer
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10, "fd00::a"]
              ipFamilies: [IPv4, IPv6]
              ipFamilyPolicy: RequireDualStack
              externalTrafficPolicy: Local
              healthCheckNodePort: 30999
              loadBalancerSourceRanges: [10.0.0.0/8]
              sessionAffinity: ClientIP
              sessionAffinityConfig: {clientIP: {timeoutSeconds: 60}}
              ports:
              - {name: http, port: 80, nodePort: 30080, protocol: TCP}
            status: {loadBalancer: {ingress: [{ip: 198.51.100.1, ipMode: VIP}]}}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: http, port: 8080}]
            endpoints:
            - {addresses: [10.0.1.1], nodeName: n1, conditions: {ready: true}, hints: {forZones: [{name: a}]}}
            """;

    @Test
    void damagedTextIsAnswered() {
        Tries.of(5_000, draw -> damagedTextIsAnswered(draw.upTo(1100), draw.upTo(12), draw.text(6)));
    }

    private void damagedTextIsAnswered(int at, int cut, String insert) {
        int from = Math.min(at, TEXT.length());
        int to = Math.min(from + cut, TEXT.length());
        Decoded decoded = Manifests.decode("f", TEXT.substring(0, from) + insert + TEXT.substring(to));
        assertThat(decoded.objects().size() + decoded.problems().size()).isPositive();
    }

    @Test
    void everyPrefixIsAnswered() {
        Tries.of(1_200, draw -> everyPrefixIsAnswered(draw.upTo(1100)));
    }

    private void everyPrefixIsAnswered(int length) {
        assertThat(Manifests.decode("f", TEXT.substring(0, Math.min(length, TEXT.length()))))
                .isNotNull();
    }
}
