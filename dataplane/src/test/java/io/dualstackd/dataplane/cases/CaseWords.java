package io.dualstackd.dataplane.cases;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.EndpointText;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Protos;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the properties of nodes and service ports: lines of {@code name: value}, lists with commas.
 *
 * <p>A node: {@code addresses} (the first is the node's own, its family is the scene's), {@code pods} (a network, {@code bridge
 * NAME}, {@code interfaces PREFIX}, or {@code unknown}), {@code node-ports} ({@code all}, {@code primary} or networks), {@code
 * masquerade-all}, {@code localhost-node-ports}, {@code drop-invalid} (yes or no), {@code zone}.
 *
 * <p>A service port: {@code cluster-ip}, {@code port} ({@code 80/tcp}), {@code endpoints} as {@link EndpointText} says, {@code
 * target-port}, {@code node-port}, {@code external-ips}, {@code load-balancer-ips}, {@code source-ranges}, {@code affinity} (a
 * time in seconds), {@code internal} and {@code external} ({@code Cluster} or {@code Local}), {@code health-check-node-port}.
 */
final class CaseWords {
    private static final Set<String> NODE =
            Set.of("addresses", "pods", "node-ports", "masquerade-all", "localhost-node-ports", "drop-invalid", "zone");
    private static final Set<String> PORT = Set.of(
            "cluster-ip",
            "port",
            "endpoints",
            "target-port",
            "node-port",
            "external-ips",
            "load-balancer-ips",
            "source-ranges",
            "affinity",
            "internal",
            "external",
            "health-check-node-port");

    private final Map<String, String> given;

    private CaseWords(Map<String, String> given) {
        this.given = given;
    }

    static Map<String, String> nodeProperties(List<String> body) {
        return properties(body, NODE);
    }

    static Map<String, String> portProperties(List<String> body) {
        return properties(body, PORT);
    }

    private static Map<String, String> properties(List<String> body, Set<String> known) {
        Map<String, String> properties = new HashMap<>();
        for (String line : body) {
            String[] parts = line.split(":", 2);
            if (parts.length < 2 || !known.contains(parts[0])) {
                throw new IllegalArgumentException("\"" + line + "\" is none of " + known);
            }
            properties.put(parts[0], parts[1].strip());
        }
        return properties;
    }

    static NodeView node(Map<String, String> given) {
        CaseWords words = new CaseWords(given);
        List<Ip> own = words.list("addresses").map(Ip::parse).toList();
        Ip first = own.getFirst();
        Ip loopback = Ip.parse(first instanceof Ip.V4 ? "127.0.0.1" : "::1");
        return new NodeView(
                first.family(),
                "node-1",
                words.get("zone", ""),
                Optional.of(first),
                Stream.concat(Stream.of(loopback), own.stream()).toList(),
                detector(words.get("pods", "unknown")),
                nodePorts(words.get("node-ports", "all")),
                words.yes("masquerade-all", false),
                14,
                words.yes("localhost-node-ports", true),
                words.yes("drop-invalid", true),
                words.yes("nfacct", false),
                List.of());
    }

    private static LocalDetector detector(String text) {
        String[] words = text.split(" ", -1);
        return switch (words[0]) {
            case "unknown" -> LocalDetector.NONE;
            case "bridge" -> new LocalDetector.FromBridge(words[1]);
            case "interfaces" -> new LocalDetector.FromInterfacePrefix(words[1]);
            default -> new LocalDetector.SourceIn(IpPrefix.parse(text));
        };
    }

    private static NodePortAddresses nodePorts(String text) {
        return switch (text) {
            case "all" -> NodePortAddresses.ALL;
            case "primary" -> NodePortAddresses.PRIMARY;
            default ->
                new NodePortAddresses.Within(
                        Stream.of(text.split(", *")).map(IpPrefix::parse).toList());
        };
    }

    static ServicePortName name(String text, Map<String, String> given) {
        String[] slash = text.split("/", 2);
        String[] colon = slash[1].split(":", 2);
        String protocol = new CaseWords(given).get("port", "80/tcp").split("/", 2)[1];
        return new ServicePortName(
                new ServiceKey(slash[0], colon[0]), colon.length == 1 ? "" : colon[1], Protos.named(protocol));
    }

    static PortView port(String name, Map<String, String> given) {
        CaseWords words = new CaseWords(given);
        ServicePort port = new ServicePort(
                name(name, given),
                Ip.parse(words.get("cluster-ip", "")),
                Integer.parseInt(words.get("port", "80/tcp").split("/", 2)[0]),
                words.number("node-port", 0),
                words.list("external-ips").map(Ip::parse).toList(),
                words.list("load-balancer-ips").map(Ip::parse).toList(),
                words.list("source-ranges").map(IpPrefix::parse).toList(),
                words.number("affinity", 0) == 0 ? Affinity.NONE : new Affinity.ClientIp(words.number("affinity", 0)),
                policy(words.get("internal", "Cluster")),
                policy(words.get("external", "Cluster")),
                words.number("health-check-node-port", 0));
        List<Endpoint> endpoints =
                EndpointText.parse(words.get("endpoints", ""), words.number("target-port", 8080)).stream()
                        .sorted(Comparator.comparing(
                                endpoint -> endpoint.address().toString()))
                        .collect(Collectors.toList());
        return new PortView(port, endpoints);
    }

    private static TrafficPolicy policy(String text) {
        return TrafficPolicy.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private String get(String name, String otherwise) {
        return given.getOrDefault(name, otherwise);
    }

    private int number(String name, int otherwise) {
        return given.containsKey(name) ? Integer.parseInt(get(name, "")) : otherwise;
    }

    private boolean yes(String name, boolean otherwise) {
        return switch (get(name, otherwise ? "yes" : "no")) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw new IllegalArgumentException(name + " is yes or no, not " + get(name, ""));
        };
    }

    private Stream<String> list(String name) {
        return get(name, "").isEmpty() ? Stream.of() : Stream.of(get(name, "").split(", *"));
    }
}
