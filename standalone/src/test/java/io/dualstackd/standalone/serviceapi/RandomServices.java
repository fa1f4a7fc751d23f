package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random Services that follow about half of the rules. */
final class RandomServices {
    /** Per field of {@code spec} what may stand there, in the order of the alphabet of mistakes: good first. */
    private static final Map<String, List<String>> VALUES = Map.ofEntries(
            Map.entry("type", List.of("ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "", "Nodeport", "none")),
            Map.entry("clusterIP", List.of("None", "10.0.0.10", "2000::1", "", "10.0.0.010", "x")),
            Map.entry("ipFamilyPolicy", List.of("SingleStack", "PreferDualStack", "RequireDualStack", "")),
            Map.entry("externalName", List.of("x.example", "x.example.", "X", "")),
            Map.entry("externalTrafficPolicy", List.of("Local", "Cluster", "", "Near")),
            Map.entry("internalTrafficPolicy", List.of("Local", "Cluster", "")),
            Map.entry("sessionAffinity", List.of("ClientIP", "None", "", "Client")),
            Map.entry("loadBalancerClass", List.of("x/y", "", "a b")),
            Map.entry("trafficDistribution", List.of("PreferClose", "Near")));

    private static final Map<String, List<List<String>>> LISTS = Map.of(
            "clusterIPs",
            List.of(
                    List.of("None"),
                    List.of("10.0.0.10"),
                    List.of("10.0.0.10", "2000::1"),
                    List.of("2000::1", "10.0.0.10"),
                    List.of(),
                    List.of("10.0.0.10", "10.0.0.11"),
                    List.of("a", "b", "c")),
            "ipFamilies",
            List.of(
                    List.of("IPv4"),
                    List.of("IPv6"),
                    List.of("IPv4", "IPv6"),
                    List.of("IPv6", "IPv4"),
                    List.of(),
                    List.of("IPv5")),
            "externalIPs",
            List.of(List.of("192.0.2.1"), List.of(), List.of("127.0.0.1", "x")),
            "loadBalancerSourceRanges",
            List.of(List.of("10.0.0.0/8", "2001:db8::/32"), List.of(), List.of("10.0.0.1/8")));

    private final Random random;

    RandomServices(Random random) {
        this.random = random;
    }

    /** Most often something an API server would take. */
    Tree.Mapping service() {
        Map<String, Tree> spec = new LinkedHashMap<>();
        VALUES.forEach((name, values) -> {
            if (random.nextInt(6) == 0) {
                spec.put(name, text(pick(values)));
            }
        });
        LISTS.forEach((name, lists) -> {
            if (random.nextInt(9) == 0) {
                spec.put(name, texts(pick(lists)));
            }
        });
        if (random.nextInt(12) != 0) {
            spec.put("ports", ports());
        }
        if (random.nextInt(3) == 0) {
            spec.put("selector", mapping(Map.of("app", text("web"))));
        }
        if (random.nextInt(12) == 0) {
            spec.put("allocateLoadBalancerNodePorts", new Tree.Scalar("false", Tree.Type.BOOLEAN, 3));
        }
        if (random.nextInt(20) == 0) {
            spec.put("healthCheckNodePort", number(32_100));
        }
        if (random.nextInt(8) == 0) {
            spec.put(
                    "sessionAffinityConfig", mapping(Map.of("clientIP", mapping(Map.of("timeoutSeconds", number(9))))));
        }
        Map<String, Tree> object = new LinkedHashMap<>();
        object.put("apiVersion", text("v1"));
        object.put("kind", text("Service"));
        object.put("metadata", mapping(Map.of("name", text("web"))));
        object.put("spec", mapping(spec));
        if (random.nextInt(5) == 0) {
            Tree entry = mapping(Map.of("ip", text("192.0.2.9")));
            object.put("status", mapping(Map.of("loadBalancer", mapping(Map.of("ingress", list(List.of(entry)))))));
        }
        return mapping(object);
    }

    private Tree ports() {
        List<Tree> ports = new ArrayList<>();
        int count = random.nextInt(15) == 0 ? 0 : 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            Map<String, Tree> port = new LinkedHashMap<>();
            port.put("port", number(random.nextInt(30) == 0 ? 0 : 80 + random.nextInt(4)));
            if (count > 1 || random.nextBoolean()) {
                port.put("name", text("p" + i));
            }
            if (random.nextInt(3) == 0) {
                port.put("protocol", text(pick(List.of("TCP", "UDP", "SCTP", ""))));
            }
            if (random.nextInt(3) == 0) {
                port.put("targetPort", random.nextBoolean() ? text("http") : number(8080));
            }
            if (random.nextInt(9) == 0) {
                port.put("nodePort", number(32_000 + random.nextInt(3)));
            }
            ports.add(mapping(port));
        }
        return list(ports);
    }

    /** The same with something of it replaced by anything. */
    Tree.Mapping damaged(Tree.Mapping tree) {
        Map<String, Tree> entries = new LinkedHashMap<>(tree.entries());
        for (Map.Entry<String, Tree> entry : entries.entrySet()) {
            if (random.nextInt(6) == 0) {
                entry.setValue(anything(2));
            } else if (random.nextInt(20) == 0) {
                entry.setValue(new Tree.Scalar("null", Tree.Type.NULL, 1));
            } else {
                entry.setValue(damaged(entry.getValue()));
            }
        }
        return mapping(entries);
    }

    private Tree damaged(Tree tree) {
        return switch (tree) {
            case Tree.Mapping mapping -> damaged(mapping);
            case Tree.Sequence sequence ->
                list(sequence.items().stream()
                        .map(item -> random.nextInt(8) == 0 ? anything(2) : damaged(item))
                        .toList());
            case Tree.Scalar scalar -> random.nextInt(12) == 0 ? anything(1) : scalar;
        };
    }

    Tree anything(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> text(pick(List.of("", "None", "a", "10.0.0.1", "::", "\u0000", "x".repeat(300))));
            case 1 ->
                new Tree.Scalar(
                        pick(List.of("0", "-1", "0x50", "0o17", "99999999999999999999999", "65536", "+", "0x")),
                        Tree.Type.WHOLE_NUMBER,
                        9);
            case 2 -> new Tree.Scalar("1.5", Tree.Type.FRACTION, 9);
            case 3 -> new Tree.Scalar(pick(List.of("true", "False", "")), Tree.Type.BOOLEAN, 9);
            case 4 -> new Tree.Scalar("~", Tree.Type.NULL, 9);
            case 5 -> list(List.of());
            case 6 -> list(List.of(anything(depth - 1), anything(depth - 1)));
            default -> mapping(Map.of(pick(List.of("ip", "clientIP", "loadBalancer", "a b", "")), anything(depth - 1)));
        };
    }

    /** A settled Service with whatever numbers it lacks. */
    static Tree.Mapping numbered(Tree.Mapping settled) {
        ServiceFields fields = ServiceFields.of(settled);
        List<String> ips = new ArrayList<>(fields.families().clusterIps());
        if (fields.needsClusterIps()) {
            for (int i = ips.size(); i < fields.families().ipFamilies().size(); i++) {
                ips.add(fields.families().ipFamilies().get(i) == IpFamily.IPV4 ? "10.0.0.77" : "2000::77");
            }
        }
        List<PortFields> ports = new ArrayList<>();
        for (PortFields port : fields.ports()) {
            boolean needs = fields.needsNodePorts() && port.nodePort() == 0;
            ports.add(needs ? port.withNodePort(32_500 + ports.size()) : port);
        }
        int health = fields.needsHealthPort() && fields.healthPort() == 0 ? 32_600 : fields.healthPort();
        return ServiceTree.with(settled, ips, ports, health);
    }

    private <T> T pick(List<T> values) {
        // The last ones are mistakes, and one of them is enough to be refused.
        return values.get(
                random.nextInt(8) == 0 ? random.nextInt(values.size()) : random.nextInt((values.size() + 1) / 2));
    }

    private static Tree text(String text) {
        return new Tree.Scalar(text, Tree.Type.TEXT, 2);
    }

    private static Tree number(int number) {
        return new Tree.Scalar(Integer.toString(number), Tree.Type.WHOLE_NUMBER, 2);
    }

    private static Tree texts(List<String> texts) {
        return list(texts.stream().map(RandomServices::text).toList());
    }

    private static Tree list(List<Tree> items) {
        return new Tree.Sequence(items, 2);
    }

    private static Tree.Mapping mapping(Map<String, Tree> entries) {
        return new Tree.Mapping(entries, 2);
    }
}
