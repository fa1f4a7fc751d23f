package io.dualstackd.agent.e2e;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Manifests of a dual-stack Service in the laboratory, and of its slices in both families.
 *
 * @param number runs through all its addresses
 * @param slices their text
 */
record LabService(
        String name,
        int number,
        List<String> addresses,
        List<String> labels,
        List<String> spec,
        List<String> ports,
        boolean vip,
        List<String> slices) {
    static final String NAMESPACE = "lab";
    static final String NODE = "e2e-node";

    /** A ClusterIP Service without ports and endpoints. */
    static LabService of(String name, int number) {
        List<String> addresses = new ArrayList<>();
        for (LabMap map : LabMap.values()) {
            addresses.add(map.clusterIp(number).toString());
        }
        return new LabService(name, number, addresses, List.of(), List.of(), List.of(), false, List.of());
    }

    /** The usual: TCP and UDP on port 80, at {@link LabMap#TARGET_PORT} of these pods. */
    static LabService web(String name, int number, String pods) {
        return of(name, number)
                .port("t", "TCP", 80, 0)
                .port("u", "UDP", 80, 0)
                .slice("usual", targets(LabMap.TARGET_PORT), pods);
    }

    /** The same with node port {@code 30000 + number}. */
    static LabService nodePort(String name, int number, String pods) {
        return of(name, number)
                .spec("type: NodePort")
                .port("t", "TCP", 80, 30000 + number)
                .port("u", "UDP", 80, 30000 + number)
                .slice("usual", targets(LabMap.TARGET_PORT), pods);
    }

    /** The same with a load-balancer address, too. */
    static LabService balanced(String name, int number, String pods) {
        LabService service = of(name, number)
                .spec("type: LoadBalancer")
                .port("t", "TCP", 80, 30000 + number)
                .port("u", "UDP", 80, 30000 + number)
                .slice("usual", targets(LabMap.TARGET_PORT), pods);
        return new LabService(
                name, number, service.addresses, service.labels, service.spec, service.ports, true, service.slices);
    }

    /** The ports of a slice for the usual Service. */
    static String targets(int port) {
        return "{name: t, port: %d, protocol: TCP}, {name: u, port: %d, protocol: UDP}".formatted(port, port);
    }

    LabService at(String ip4, String ip6) {
        return new LabService(name, number, List.of(ip4, ip6), labels, spec, ports, vip, slices);
    }

    LabService spec(String more) {
        return new LabService(name, number, addresses, labels, plus(spec, more), ports, vip, slices);
    }

    LabService label(String key, String value) {
        return new LabService(
                name, number, addresses, plus(labels, key + ": \"" + value + "\""), spec, ports, vip, slices);
    }

    LabService port(String port, String protocol, int number, int nodePort) {
        String text = "{name: %s, protocol: %s, port: %d%s}"
                .formatted(port, protocol, number, nodePort == 0 ? "" : ", nodePort: " + nodePort);
        return new LabService(name, this.number, addresses, labels, spec, plus(ports, text), vip, slices);
    }

    /** The Service without its slices. */
    String alone() {
        String status = "";
        if (vip) {
            status = "\nstatus: {loadBalancer: {ingress: [{ip: %s}, {ip: \"%s\"}]}}"
                    .formatted(LabMap.V4.vip(number), LabMap.V6.vip(number));
        }
        return """
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: %s, namespace: %s, labels: {%s}}
                spec: {%s}%s
                """.formatted(name, NAMESPACE, String.join(", ", labels), String.join(", ", everySpec()), status);
    }

    private List<String> everySpec() {
        List<String> all = new ArrayList<>(List.of(
                "ipFamilyPolicy: RequireDualStack",
                "ipFamilies: [IPv4, IPv6]",
                "clusterIP: " + addresses.getFirst(),
                "clusterIPs: [%s, \"%s\"]".formatted(addresses.get(0), addresses.get(1)),
                "ports: [" + String.join(", ", ports) + "]"));
        all.addAll(spec);
        return all;
    }

    String text() {
        return alone() + String.join("", slices);
    }

    /**
     * One more slice in each family.
     *
     * @param ports as in the slice
     * @param pods {@code "L1, R2 T"}: local and remote pods; {@code T} is terminating but serving, {@code u} not ready,
     *     {@code zone=a} and {@code node=b} are hints
     */
    LabService slice(String suffix, String ports, String pods) {
        return slice(suffix, ports, pods, "");
    }

    LabService slice(String suffix, String ports, String pods, String label) {
        StringBuilder text = new StringBuilder();
        for (LabMap map : LabMap.values()) {
            text.append("""
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: %s-%s-%s, namespace: %s, labels: {kubernetes.io/service-name: %s%s}}
                    addressType: %s
                    ports: [%s]
                    endpoints: [%s]
                    """.formatted(
                            name,
                            suffix,
                            map.name().toLowerCase(Locale.ROOT),
                            NAMESPACE,
                            name,
                            label.isEmpty() ? "" : ", " + label,
                            map.family() == IpFamily.IPV4 ? "IPv4" : "IPv6",
                            ports,
                            endpoints(map, pods)));
        }
        return new LabService(name, number, addresses, labels, spec, this.ports, vip, plus(slices, text.toString()));
    }

    private static String endpoints(LabMap map, String pods) {
        return List.of(pods.isBlank() ? new String[0] : pods.split(",", -1)).stream()
                .map(pod -> endpoint(map, List.of(pod.strip().split(" ", -1))))
                .collect(Collectors.joining(", "));
    }

    private static String endpoint(LabMap map, List<String> words) {
        int number = Integer.parseInt(words.getFirst().substring(1));
        boolean local = words.getFirst().startsWith("L");
        boolean terminating = words.contains("T");
        boolean ready = !terminating && !words.contains("u");
        String hints = words.stream()
                .filter(word -> word.contains("="))
                .map(word -> word.startsWith("zone")
                        ? "forZones: [{name: %s}]".formatted(word.substring(5))
                        : "forNodes: [{name: %s}]".formatted(word.substring(5)))
                .collect(Collectors.joining(", "));
        return "{addresses: [\"%s\"], nodeName: %s, conditions: {ready: %b, serving: %b, terminating: %b}%s}"
                .formatted(
                        local ? map.localPod(number) : map.remotePod(number),
                        local ? NODE : "other-node",
                        ready,
                        ready || terminating,
                        terminating,
                        hints.isEmpty() ? "" : ", hints: {" + hints + "}");
    }

    private static List<String> plus(List<String> list, String more) {
        List<String> all = new ArrayList<>(list);
        all.add(more);
        return List.copyOf(all);
    }
}
