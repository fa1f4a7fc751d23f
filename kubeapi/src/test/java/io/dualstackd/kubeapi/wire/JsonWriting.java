package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Endpoints;
import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.objects.WrittenService;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes our records as an API server does, in JSON. */
public final class JsonWriting {
    private JsonWriting() {}

    /** The whole answer to a list; items come without {@code kind}, as from a server. */
    public static String list(
            ObjectKey.Kind kind, List<String> items, String resourceVersion, Optional<String> continueToken) {
        String more = continueToken.map(token -> ",\"continue\":" + json(token)).orElse("");
        return "{\"kind\":\"" + kind + "List\",\"apiVersion\":\"" + kind.apiVersion()
                + "\",\"metadata\":{\"resourceVersion\":\"" + resourceVersion + "\"" + more + "},\"items\":["
                + String.join(",", items) + "]}\n";
    }

    /** One line of a watch. */
    public static String event(String type, ObjectKey.Kind kind, String object) {
        String typed = object.startsWith("{\"metadata\"")
                ? "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + kind.apiVersion() + "\"," + object.substring(1)
                : object;
        return "{\"type\":\"" + type + "\",\"object\":" + typed + "}\n";
    }

    /** An object that has nothing but a version. */
    public static String bookmark(ObjectKey.Kind kind, String resourceVersion, boolean initialEventsEnd) {
        String annotations = initialEventsEnd ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
        return event(
                "BOOKMARK",
                kind,
                "{\"metadata\":{\"resourceVersion\":\"" + resourceVersion + "\"" + annotations + "}}");
    }

    /** The whole answer that is an error; also the object of a watch's error. */
    public static String status(ApiStatus status) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("kind", "Status");
        map.put("apiVersion", "v1");
        map.put("status", "Failure");
        map.put("message", status.message());
        map.put("reason", status.reason());
        status.retryAfterSeconds().ifPresent(seconds -> map.put("details", Map.of("retryAfterSeconds", seconds)));
        map.put("code", status.code());
        return json(map);
    }

    /** One object, without kind and version of the API. */
    public static String object(ApiObject object, String resourceVersion) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("metadata", meta(object, resourceVersion));
        switch (object) {
            case Service service -> {
                map.put("spec", spec(service));
                map.put("status", Map.of("loadBalancer", balancer(service)));
            }
            case EndpointSlice slice -> {
                map.put("addressType", slice.addressType());
                map.put(
                        "endpoints",
                        slice.endpoints().stream().map(JsonWriting::endpoint).toList());
                map.put("ports", slice.ports().stream().map(JsonWriting::port).toList());
            }
            case Node node -> {
                map.put(
                        "spec",
                        Map.of(
                                "podCIDRs",
                                node.podCidrs(),
                                "taints",
                                node.taints().stream()
                                        .map(key -> Map.of("key", key, "effect", "NoSchedule"))
                                        .toList()));
                map.put(
                        "status",
                        Map.of(
                                "addresses",
                                node.addresses().stream()
                                        .map(a -> Map.of("type", a.type(), "address", a.ip()))
                                        .toList()));
            }
            case ServiceCidr cidr -> map.put("spec", Map.of("cidrs", cidr.cidrs()));
            case WrittenService ignored -> throw new IllegalArgumentException("not of a server");
            case Endpoints ignored -> throw new IllegalArgumentException("not read");
            case IpAddress ignored -> throw new IllegalArgumentException("not read");
        }
        return json(map);
    }

    private static Map<String, Object> meta(ApiObject object, String resourceVersion) {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put("name", object.key().name());
        if (!object.key().namespace().isEmpty()) {
            meta.put("namespace", object.key().namespace());
        }
        meta.put("uid", "00000000-0000-0000-0000-000000000000");
        meta.put("resourceVersion", resourceVersion);
        if (object instanceof EndpointSlice slice && slice.service().isPresent()) {
            meta.put(
                    "labels",
                    Map.of("kubernetes.io/service-name", slice.service().get()));
        }
        if (object instanceof Node node && !node.zone().isEmpty()) {
            meta.put("labels", Map.of("topology.kubernetes.io/zone", node.zone()));
        }
        return meta;
    }

    private static Map<String, Object> spec(Service service) {
        Map<String, Object> spec = new LinkedHashMap<>();
        List<Map<String, Object>> ports = new ArrayList<>();
        for (Service.Port port : service.ports()) {
            Map<String, Object> written = new LinkedHashMap<>();
            written.put("name", port.name());
            written.put("protocol", port.protocol().toString().toUpperCase(Locale.ROOT));
            written.put("port", port.port());
            if (port.nodePort() != 0) {
                written.put("nodePort", port.nodePort());
            }
            ports.add(written);
        }
        spec.put("ports", ports);
        service.selector().ifPresent(selector -> spec.put("selector", selector.labels()));
        switch (service.clusterIp()) {
            case Service.ClusterIp.Address(var ip) -> spec.put("clusterIP", ip);
            case Service.ClusterIp.None() -> spec.put("clusterIP", "None");
            case Service.ClusterIp.Unset() -> {}
        }
        spec.put("clusterIPs", service.clusterIps());
        spec.put("ipFamilies", service.ipFamilies());
        if (service.clusterIps().size() == 2) {
            spec.put("ipFamilyPolicy", "RequireDualStack");
        }
        spec.put("type", service.type());
        if (service.sessionAffinity() instanceof Service.SessionAffinity.ClientIp(var timeout)) {
            spec.put("sessionAffinity", "ClientIP");
            spec.put("sessionAffinityConfig", Map.of("clientIP", Map.of("timeoutSeconds", timeout.toSeconds())));
        } else {
            spec.put("sessionAffinity", "None");
        }
        spec.put("internalTrafficPolicy", service.internalTrafficPolicy());
        outside(service, spec);
        return spec;
    }

    /** What is about clients outside the cluster; only what differs from the defaults. */
    private static void outside(Service service, Map<String, Object> spec) {
        if (!service.externalIps().isEmpty()) {
            spec.put("externalIPs", service.externalIps());
        }
        if (!service.loadBalancerSourceRanges().isEmpty()) {
            spec.put("loadBalancerSourceRanges", service.loadBalancerSourceRanges());
        }
        if (service.externalTrafficPolicy() != Service.Policy.CLUSTER) {
            spec.put("externalTrafficPolicy", service.externalTrafficPolicy());
        }
        if (service.healthCheckNodePort() != 0) {
            spec.put("healthCheckNodePort", service.healthCheckNodePort());
        }
    }

    private static Map<String, Object> balancer(Service service) {
        return service.ingress().isEmpty()
                ? Map.of()
                : Map.of(
                        "ingress",
                        service.ingress().stream()
                                .map(each -> Map.of("ip", each.ip(), "ipMode", each.mode()))
                                .toList());
    }

    private static Map<String, Object> endpoint(EndpointSlice.Endpoint endpoint) {
        Map<String, Object> conditions = new LinkedHashMap<>();
        endpoint.conditions().ready().ifPresent(value -> conditions.put("ready", value));
        endpoint.conditions().serving().ifPresent(value -> conditions.put("serving", value));
        endpoint.conditions().terminating().ifPresent(value -> conditions.put("terminating", value));
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("addresses", List.of(endpoint.address()));
        map.put("conditions", conditions);
        if (!endpoint.nodeName().isEmpty()) {
            map.put("nodeName", endpoint.nodeName());
        }
        return map;
    }

    private static Map<String, Object> port(EndpointSlice.Port port) {
        Map<String, Object> map = new LinkedHashMap<>();
        port.name().ifPresent(name -> map.put("name", name));
        map.put("protocol", port.protocol().toString().toUpperCase(Locale.ROOT));
        port.port().ifPresent(number -> map.put("port", number));
        return map;
    }

    private static String json(Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> json(String.valueOf(entry.getKey())) + ":" + json(entry.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            case List<?> list -> list.stream().map(JsonWriting::json).collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            case Boolean bool -> bool.toString();
            default -> "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        };
    }
}
