package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.print.Age;
import io.dualstackd.kubeapi.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of {@code kubectl get}, as printed by kubectl 1.36, but that every address of a dual-stack object is shown.
 *
 * @param wide whether to add the columns that make lines long
 * @param now the time from which ages are computed
 */
record Columns(boolean wide, Instant now) {
    private static final String NONE = "<none>";
    private static final String UNSET = "<unset>";
    /** The number of ports and endpoints of a slice that are listed; of further ones only the number is printed. */
    private static final int NAMED = 3;
    /** The number of characters of the addresses of a load balancer in a narrow table. */
    private static final int NARROW = 16;

    List<String> heading(ObjectKind kind) {
        return switch (kind) {
            case SERVICES -> {
                List<String> names = List.of("NAME", "TYPE", "CLUSTER-IP", "EXTERNAL-IP", "PORT(S)", "AGE");
                yield wide ? plus(names, "SELECTOR") : names;
            }
            case ENDPOINT_SLICES -> List.of("NAME", "ADDRESSTYPE", "PORTS", "ENDPOINTS", "AGE");
            case ENDPOINTS -> List.of("NAME", "ENDPOINTS", "AGE");
            case SERVICE_CIDRS -> List.of("NAME", "CIDRS", "AGE");
            case IP_ADDRESSES -> List.of("NAME", "PARENTREF", "AGE");
            case PODS -> {
                List<String> names = List.of("NAME", "READY", "STATUS", "RESTARTS", "AGE", "IPS");
                yield wide ? plus(names, "NODE") : names;
            }
            case NODES -> List.of("NAME", "INTERNAL-IP", "EXTERNAL-IP", "VERSION");
            case EVENTS -> {
                List<String> names = List.of("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE");
                yield wide
                        ? List.of(
                                "LAST SEEN",
                                "TYPE",
                                "REASON",
                                "OBJECT",
                                "SUBOBJECT",
                                "SOURCE",
                                "MESSAGE",
                                "FIRST SEEN",
                                "COUNT",
                                "NAME")
                        : names;
            }
        };
    }

    List<String> row(KnownObject object) {
        return switch (object.kind()) {
            case SERVICES -> service(object);
            case ENDPOINT_SLICES -> slice(object);
            case ENDPOINTS -> List.of(object.name(), endpoints(object), age(object.created()));
            case SERVICE_CIDRS -> List.of(object.name(), listed(object.words("spec", "cidrs")), age(object.created()));
            case IP_ADDRESSES -> List.of(object.name(), parent(object), age(object.created()));
            case EVENTS -> event(object);
            case PODS -> pod(object);
            case NODES -> node(object);
        };
    }

    private List<String> service(KnownObject service) {
        List<String> clusterIps = service.words("spec", "clusterIPs");
        List<String> row = List.of(
                service.name(),
                service.text("spec", "type"),
                listed(clusterIps),
                externalIp(service),
                ports(service),
                age(service.created()));
        return wide ? plus(row, selector(service)) : row;
    }

    private String externalIp(KnownObject service) {
        List<String> external = service.words("spec", "externalIPs");
        return switch (service.text("spec", "type")) {
            case "ExternalName" -> service.text("spec", "externalName");
            case "LoadBalancer" -> {
                String ingress = service.items("status", "loadBalancer", "ingress").stream()
                        .map(entry -> KnownObject.text(entry, "ip").isEmpty()
                                ? KnownObject.text(entry, "hostname")
                                : KnownObject.text(entry, "ip"))
                        .filter(text -> !text.isEmpty())
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(","));
                String shown = wide || ingress.length() <= NARROW ? ingress : ingress.substring(0, NARROW - 3) + "...";
                String all = Stream.concat(Stream.of(shown), external.stream())
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(","));
                yield all.isEmpty() ? "<pending>" : all;
            }
            default -> listed(external);
        };
    }

    private static String ports(KnownObject service) {
        List<String> ports = new ArrayList<>();
        for (Tree port : service.items("spec", "ports")) {
            String nodePort = KnownObject.text(port, "nodePort");
            ports.add(KnownObject.text(port, "port")
                    + (nodePort.isEmpty() || nodePort.equals("0") ? "" : ":" + nodePort) + "/"
                    + KnownObject.text(port, "protocol"));
        }
        return listed(ports);
    }

    /** The labels pods must have, ordered by name. */
    static String selector(KnownObject service) {
        return service.at("spec", "selector")
                .map(labels -> labels instanceof Tree.Mapping(Map<String, Tree> entries, int line, var _)
                        ? entries.entrySet().stream()
                                .map(label -> label.getKey() + "=" + KnownObject.word(label.getValue()))
                                .sorted()
                                .collect(Collectors.joining(","))
                        : "")
                .filter(text -> !text.isEmpty())
                .orElse(NONE);
    }

    private List<String> slice(KnownObject slice) {
        List<String> ports = slice.items("ports").stream()
                .map(port -> Stream.of("port", "name")
                        .map(name -> KnownObject.text(port, name))
                        .filter(text -> !text.isEmpty())
                        .findFirst()
                        .orElse("*"))
                .toList();
        List<String> endpoints = slice.items("endpoints").stream()
                .flatMap(endpoint -> KnownObject.items(endpoint, "addresses").stream())
                .map(KnownObject::word)
                .toList();
        return List.of(slice.name(), slice.text("addressType"), few(ports), few(endpoints), age(slice.created()));
    }

    private List<String> pod(KnownObject pod) {
        List<Tree> containers = pod.items("status", "containerStatuses");
        long ready = containers.stream()
                .filter(container -> KnownObject.text(container, "ready").equals("true"))
                .count();
        long restarts = containers.stream()
                .mapToLong(container -> Long.parseLong(KnownObject.text(container, "restartCount")))
                .sum();
        List<String> row = List.of(
                pod.name(),
                ready + "/" + containers.size(),
                pod.text("status", "phase"),
                Long.toString(restarts),
                age(pod.created()),
                listed(pod.items("status", "podIPs").stream()
                        .map(entry -> KnownObject.text(entry, "ip"))
                        .toList()));
        return wide ? plus(row, pod.text("spec", "nodeName")) : row;
    }

    private static List<String> node(KnownObject node) {
        return List.of(
                node.name(),
                addresses(node, "InternalIP"),
                addresses(node, "ExternalIP"),
                node.text("status", "nodeInfo", "kubeProxyVersion"));
    }

    private static String addresses(KnownObject node, String type) {
        return listed(node.items("status", "addresses").stream()
                .filter(entry -> KnownObject.text(entry, "type").equals(type))
                .map(entry -> KnownObject.text(entry, "address"))
                .toList());
    }

    /** Ready addresses with each of their ports. */
    private static String endpoints(KnownObject endpoints) {
        List<String> all = new ArrayList<>();
        for (Tree subset : endpoints.items("subsets")) {
            List<Tree> ports = KnownObject.items(subset, "ports");
            for (Tree address : KnownObject.items(subset, "addresses")) {
                String ip = KnownObject.text(address, "ip");
                if (ports.isEmpty()) {
                    all.add(ip);
                }
                String host = ip.indexOf(':') < 0 ? ip : "[" + ip + "]";
                ports.forEach(port -> all.add(host + ":" + KnownObject.text(port, "port")));
            }
        }
        return all.isEmpty() ? NONE : few(all);
    }

    private static String parent(KnownObject address) {
        String group = address.text("spec", "parentRef", "group");
        String namespace = address.text("spec", "parentRef", "namespace");
        return address.text("spec", "parentRef", "resource")
                + (group.isEmpty() ? "" : "." + group)
                + "/"
                + (namespace.isEmpty() ? "" : namespace + "/")
                + address.text("spec", "parentRef", "name");
    }

    private List<String> event(KnownObject event) {
        String about = event.text("involvedObject", "kind").toLowerCase(Locale.ROOT) + "/"
                + event.text("involvedObject", "name");
        List<String> row = List.of(lastSeen(event), event.text("type"), event.text("reason"), about);
        String source = event.text("source", "component") + ", " + event.text("source", "host");
        return wide
                ? plus(
                        row,
                        DescriptionText.BLANK,
                        source,
                        event.text("message"),
                        age(event.created()),
                        event.text("count"),
                        event.name())
                : plus(row, event.text("message"));
    }

    /** {@code 5s}, or {@code 5s (x3 over 2m)}. */
    String lastSeen(KnownObject event) {
        String last = age(Optional.of(Instant.parse(event.text("lastTimestamp"))));
        String count = event.text("count");
        return count.equals("1") ? last : last + " (x" + count + " over " + age(event.created()) + ")";
    }

    private String age(Optional<Instant> created) {
        return created.map(since -> Age.between(since, now)).orElse("<unknown>");
    }

    private static String few(List<String> all) {
        String named = all.stream().limit(NAMED).collect(Collectors.joining(","));
        if (all.isEmpty()) {
            return UNSET;
        }
        return all.size() > NAMED ? named + " + " + (all.size() - NAMED) + " more..." : named;
    }

    private static String listed(List<String> all) {
        return all.isEmpty() ? NONE : String.join(",", all);
    }

    private static List<String> plus(List<String> row, String... more) {
        return Stream.concat(row.stream(), Stream.of(more)).toList();
    }
}
