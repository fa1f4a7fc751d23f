package io.dualstackd.dns.io;

import io.dualstackd.dns.DnsEndpoint;
import io.dualstackd.dns.DnsEndpoints;
import io.dualstackd.dns.DnsPort;
import io.dualstackd.dns.DnsService;
import io.dualstackd.dns.DnsService.Kind;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Prints the sample cluster as manifests for an API server whose networks of Services are {@code 10.96.0.0/16,fd00:96::/112}: as the controller of EndpointSlices
 * would write them, so that endpoints count as ready when {@code publishNotReadyAddresses} is set.
 */
final class SampleManifests {
    private SampleManifests() {}

    public static void main(String[] args) {
        System.out.println(text());
    }

    static String text() {
        StringBuilder out = new StringBuilder();
        List.of("other")
                .forEach(namespace -> out.append(
                        "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n---\n".formatted(namespace)));
        SampleCluster.change().services().values().stream()
                .flatMap(Optional::stream)
                // An API server does not take these names.
                .filter(service -> !(service.kind() instanceof Kind.ExternalName(String name) && name.contains("..")))
                .forEach(service -> {
                    out.append(service(service));
                    int number = 0;
                    for (DnsEndpoints slice : service.endpoints()) {
                        out.append(slice(service, slice, ++number));
                    }
                });
        return out.toString();
    }

    private static String service(DnsService service) {
        String spec = switch (service.kind()) {
            case Kind.ClusterIps(List<Ip> ips) ->
                "clusterIP: %s, clusterIPs: [%s], ipFamilyPolicy: %s"
                        .formatted(
                                quoted(ips.getFirst()),
                                ips.stream().map(SampleManifests::quoted).collect(Collectors.joining(", ")),
                                ips.size() > 1 ? "RequireDualStack" : "SingleStack");
            case Kind.Headless() -> "clusterIP: None";
            case Kind.ExternalName(String name) -> "type: ExternalName, externalName: " + name;
        };
        return "apiVersion: v1\nkind: Service\nmetadata: {name: %s, namespace: %s}\nspec: {%s, publishNotReadyAddresses: %s, ports: [%s]}\n---\n"
                .formatted(
                        service.name().name(),
                        service.name().namespace(),
                        spec,
                        service.publishNotReadyAddresses(),
                        ports(service.ports()));
    }

    private static String slice(DnsService service, DnsEndpoints slice, int number) {
        IpFamily family = slice.endpoints().getFirst().address().family();
        String endpoints = slice.endpoints().stream()
                .map(endpoint -> endpoint(service, endpoint))
                .collect(Collectors.joining(", "));
        String name = service.name().name();
        return """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %s-%d, namespace: %s, labels: {kubernetes.io/service-name: %s}}
                addressType: %s
                ports: [%s]
                endpoints: [%s]
                ---
                """.formatted(name, number, service.name().namespace(), name, family, ports(slice.ports()), endpoints);
    }

    private static String endpoint(DnsService service, DnsEndpoint endpoint) {
        return "{addresses: [%s], conditions: {ready: %s}%s}"
                .formatted(
                        quoted(endpoint.address()),
                        endpoint.ready() || service.publishNotReadyAddresses(),
                        endpoint.hostname().map(name -> ", hostname: " + name).orElse(""));
    }

    private static String ports(List<DnsPort> ports) {
        return ports.stream()
                .map(port -> "{name: \"%s\", protocol: %s, port: %d}"
                        .formatted(port.name(), port.protocol().toString().toUpperCase(Locale.ROOT), port.port()))
                .collect(Collectors.joining(", "));
    }

    private static String quoted(Ip ip) {
        return "\"" + ip + "\"";
    }
}
