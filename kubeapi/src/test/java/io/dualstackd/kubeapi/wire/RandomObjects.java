package io.dualstackd.kubeapi.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Random objects as an API server might hold them; with {@code odd} also objects that no current one would accept. */
final class RandomObjects {
    private final Random random;
    private final boolean odd;
    private int version = 100;

    RandomObjects(long seed, boolean odd) {
        this.random = new Random(seed);
        this.odd = odd;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    private <T> T of(T... all) {
        return all[random.nextInt(all.length)];
    }

    private Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    private List<Object> some(int most, Supplier<Object> maker) {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            list.add(maker.get());
        }
        return list;
    }

    private String ip(boolean v6) {
        if (odd && chance(5)) {
            return of("", "nonsense", "010.0.0.01", "127.0.0.1", "::", "fe80::1", "ff02::1", "1.2.3", "::ffff:1.2.3.4");
        }
        return v6
                ? "fd00:" + Integer.toHexString(random.nextInt(65536)) + "::"
                        + Integer.toHexString(1 + random.nextInt(9999))
                : "10." + random.nextInt(256) + "." + random.nextInt(256) + "." + (1 + random.nextInt(254));
    }

    private Map<String, Object> metadata(String namespace, int number, Map<String, Object> labels) {
        Map<String, Object> metadata = map("name", "n" + number);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        if (odd && chance(3)) {
            metadata.put("name", of("", "Upper", "a/b", "x".repeat(300)));
        }
        metadata.put("uid", "u" + random.nextInt());
        metadata.put("resourceVersion", Integer.toString(version++));
        metadata.put("labels", labels);
        Map<String, Object> annotations = map("other", "ä \"quoted\" \\ text");
        if (chance(50)) {
            annotations.put(
                    "endpoints.kubernetes.io/last-change-trigger-time",
                    odd && chance(10) ? "yesterday" : "2026-01-02T03:04:05.678Z");
        }
        metadata.put("annotations", annotations);
        if (chance(5)) {
            metadata.put("deletionTimestamp", "2026-01-02T03:04:05Z");
        }
        return metadata;
    }

    Map<String, Object> service(int number) {
        String type = of("ClusterIP", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName");
        if (odd && chance(3)) {
            type = "Other";
        }
        boolean external = type.equals("ExternalName");
        boolean headless = type.equals("ClusterIP") && chance(10);
        Map<String, Object> spec = map("type", type);
        if (external) {
            spec.put("externalName", of("a.example", "b.example.", "c"));
        }
        if (headless) {
            spec.put("clusterIP", "None");
            spec.put("clusterIPs", List.of("None"));
        } else if (!external && !chance(5)) {
            boolean v6 = chance(50);
            boolean dual = chance(50);
            String first = ip(v6);
            spec.put("clusterIP", first);
            if (chance(90)) {
                spec.put("clusterIPs", dual ? List.of(first, ip(!v6)) : List.of(first));
                spec.put("ipFamilies", families(v6, dual));
                spec.put("ipFamilyPolicy", dual ? "RequireDualStack" : "SingleStack");
            }
        }
        spec.put("ports", ports(type));
        if (chance(60)) {
            spec.put("selector", map("app", "a" + random.nextInt(5), "tier", "web"));
        }
        spec.put("publishNotReadyAddresses", chance(10));
        boolean open = type.equals("NodePort") || type.equals("LoadBalancer");
        if (open) {
            spec.put("externalTrafficPolicy", of("Cluster", "Local"));
        }
        spec.put("internalTrafficPolicy", odd && chance(5) ? "Elsewhere" : of("Cluster", "Local"));
        if (chance(20)) {
            spec.put("sessionAffinity", "ClientIP");
            if (chance(50)) {
                int seconds = odd && chance(10) ? 1_000_000 : 1 + random.nextInt(86_400);
                spec.put("sessionAffinityConfig", map("clientIP", map("timeoutSeconds", seconds)));
            }
        } else {
            spec.put("sessionAffinity", "None");
        }
        spec.put("externalIPs", some(2, () -> ip(chance(50))));
        Map<String, Object> status = map("loadBalancer", map());
        if (type.equals("LoadBalancer")) {
            spec.put("loadBalancerSourceRanges", some(2, () -> odd && chance(5) ? "x" : " 10.0.0.0/8"));
            if ("Local".equals(spec.get("externalTrafficPolicy"))) {
                spec.put("healthCheckNodePort", 30_000 + random.nextInt(2_000));
            }
            status = map("loadBalancer", map("ingress", some(3, this::ingress)));
        }
        Map<String, Object> labels = map("app", "x");
        if (chance(10)) {
            labels.put("service.kubernetes.io/service-proxy-name", of("", "other"));
        }
        return map("metadata", metadata("ns" + number % 3, number, labels), "spec", spec, "status", status);
    }

    private List<String> families(boolean v6, boolean dual) {
        String first = v6 ? "IPv6" : "IPv4";
        return dual ? List.of(first, v6 ? "IPv4" : "IPv6") : List.of(first);
    }

    private Object ingress() {
        return chance(20)
                ? map("hostname", "balancer.example")
                : map("ip", ip(chance(50)), "ipMode", odd && chance(5) ? "?" : of("VIP", "Proxy"));
    }

    private List<Object> ports(String type) {
        List<Object> ports = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            Map<String, Object> port = map("name", count == 1 && chance(50) ? "" : "p" + i, "port", 80 + i);
            port.put("protocol", odd && chance(5) ? "DCCP" : of("TCP", "UDP", "SCTP"));
            if (odd && chance(5)) {
                port.put("port", of(0, -1, 70_000));
            }
            if (type.equals("NodePort") || type.equals("LoadBalancer")) {
                port.put("nodePort", 30_000 + 10 * i + random.nextInt(10));
            }
            if (chance(50)) {
                port.put("targetPort", chance(50) ? (Object) "http" : (Object) (8_000 + i));
            }
            ports.add(port);
        }
        return ports;
    }

    Map<String, Object> slice(int number) {
        String type = of("IPv4", "IPv6", "IPv4", "IPv6", "FQDN");
        Map<String, Object> labels = map();
        if (chance(95)) {
            labels.put("kubernetes.io/service-name", "n" + number / 2);
        }
        if (chance(5)) {
            labels.put("service.kubernetes.io/headless", "");
        }
        List<Object> ports = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Map<String, Object> port = map("name", "p" + i, "protocol", odd && chance(5) ? "x" : of("TCP", "UDP"));
            if (chance(95)) {
                port.put("port", odd && chance(5) ? 70_000 : 8_000 + i);
            }
            ports.add(port);
        }
        Map<String, Object> slice = map("metadata", metadata("ns" + number % 3, number, labels));
        slice.put("addressType", odd && chance(3) ? "IPv5" : type);
        slice.put("endpoints", some(5, () -> endpoint(type)));
        slice.put("ports", ports);
        return slice;
    }

    private Object endpoint(String type) {
        String address = type.equals("FQDN") ? "host.example" : ip(type.equals("IPv6") ^ (odd && chance(5)));
        Map<String, Object> endpoint = map("addresses", List.of(address));
        if (odd && chance(3)) {
            endpoint.put("addresses", List.of());
        }
        if (chance(90)) {
            Map<String, Object> conditions = map();
            for (String condition : List.of("ready", "serving", "terminating")) {
                if (chance(80)) {
                    conditions.put(condition, chance(50));
                }
            }
            endpoint.put("conditions", conditions);
        }
        if (chance(80)) {
            endpoint.put("nodeName", "node-" + random.nextInt(4));
            endpoint.put("zone", "z" + random.nextInt(3));
        }
        if (chance(30)) {
            endpoint.put(
                    "hints",
                    map(
                            "forZones", some(2, () -> map("name", "z" + random.nextInt(3))),
                            "forNodes", some(1, () -> map("name", "node-" + random.nextInt(3)))));
        }
        return endpoint;
    }

    Map<String, Object> node(int number) {
        Map<String, Object> spec = map("podCIDR", "10.1.0.0/24");
        if (chance(80)) {
            spec.put("podCIDRs", odd && chance(10) ? List.of("x") : List.of("10.1.0.0/24", "fd00:1::/64"));
        }
        spec.put("taints", some(2, () -> map("key", of("a", "b"), "effect", "NoSchedule")));
        Map<String, Object> status = map(
                "addresses",
                some(
                        4,
                        () -> chance(70)
                                ? map("type", of("InternalIP", "ExternalIP"), "address", ip(chance(50)))
                                : map("type", "Hostname", "address", "host")));
        Map<String, Object> labels = chance(50) ? map("topology.kubernetes.io/zone", "z1") : map();
        return map("metadata", metadata("", number, labels), "spec", spec, "status", status);
    }

    Map<String, Object> serviceCidr(int number) {
        List<String> cidrs =
                odd && chance(10) ? List.of("x/8") : of(List.of("10.96.0.0/12"), List.of("fd00::/108", "10.96.0.0/12"));
        return map("metadata", metadata("", number, map()), "spec", map("cidrs", cidrs));
    }
}
