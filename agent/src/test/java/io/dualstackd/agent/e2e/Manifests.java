package io.dualstackd.agent.e2e;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes manifests. */
final class Manifests {
    private Manifests() {}

    /** One document: a dual-stack Service on {@code 10.96.0.0/16} and {@code fd00:10:96::/112}. */
    static String service(String name, int number, String moreSpec) {
        return """
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: %s, namespace: e2e}
                spec: {ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv4, IPv6], clusterIP: %s,
                  clusterIPs: [%s, "%s"], ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP}]%s}
                """.formatted(name, ip4(number), ip4(number), ip6(number), moreSpec.isEmpty() ? "" : ", " + moreSpec);
    }

    /** Two documents: the slices of that Service, with endpoints {@code first} to {@code first + count - 1}. */
    static String slices(String service, int first, int count) {
        return slice(
                        service,
                        "IPv4",
                        IntStream.range(first, first + count)
                                .mapToObj(e -> "10.244.%d.%d".formatted(e / 250, e % 250 + 1))
                                .toList())
                + slice(
                        service,
                        "IPv6",
                        IntStream.range(first, first + count)
                                .mapToObj(e -> "\"fd00:10:244::%x\"".formatted(e + 1))
                                .toList());
    }

    static String ip4(int number) {
        return "10.96.%d.%d".formatted(number / 250, number % 250 + 1);
    }

    static String ip6(int number) {
        return "fd00:10:96::%x".formatted(number + 1);
    }

    private static String slice(String service, String type, List<String> addresses) {
        return """
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %s-%s, namespace: e2e, labels: {kubernetes.io/service-name: %s}}
                addressType: %s
                ports: [{name: http, port: 8080, protocol: TCP}]
                endpoints:%s
                """.formatted(
                        service,
                        type.toLowerCase(java.util.Locale.ROOT),
                        service,
                        type,
                        addresses.isEmpty()
                                ? " []"
                                : addresses.stream()
                                        .map(a -> "\n- {addresses: [" + a + "], nodeName: e2e-node,"
                                                + " conditions: {ready: true}}")
                                        .collect(Collectors.joining()));
    }
}
