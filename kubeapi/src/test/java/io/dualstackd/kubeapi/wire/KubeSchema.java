package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.Message;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes objects in protobuf as an API server does, from the same maps that are written as JSON. The field numbers here are written down
 * once more, independently of the {@link Message}s that are read; {@code FieldNumbersTest} compares both with upstream's.
 */
public final class KubeSchema {
    /** A field of a message; {@code type} as in a definition, with {@code repeated} in front. */
    public record Line(String message, String field, int number, String type) {}

    public static final List<Line> LINES = lines("""
            Unknown typeMeta 1 TypeMeta
            Unknown raw 2 bytes
            TypeMeta apiVersion 1 string
            TypeMeta kind 2 string
            RawExtension raw 1 bytes
            WatchEvent type 1 string
            WatchEvent object 2 RawExtension
            ListMeta resourceVersion 2 string
            ListMeta continue 3 string
            ListMeta remainingItemCount 4 int64
            ObjectMeta name 1 string
            ObjectMeta generateName 2 string
            ObjectMeta namespace 3 string
            ObjectMeta uid 5 string
            ObjectMeta resourceVersion 6 string
            ObjectMeta generation 7 int64
            ObjectMeta creationTimestamp 8 Time
            ObjectMeta deletionTimestamp 9 Time
            Time seconds 1 int64
            ObjectMeta labels 11 map<string, string>
            ObjectMeta annotations 12 map<string, string>
            ObjectMeta finalizers 14 repeated string
            Status status 2 string
            Status message 3 string
            Status reason 4 string
            Status details 5 StatusDetails
            Status code 6 int32
            StatusDetails kind 3 string
            StatusDetails causes 4 repeated StatusCause
            StatusDetails retryAfterSeconds 5 int32
            StatusCause reason 1 string
            ServiceList metadata 1 ListMeta
            ServiceList items 2 repeated Service
            EndpointSliceList metadata 1 ListMeta
            EndpointSliceList items 2 repeated EndpointSlice
            NodeList metadata 1 ListMeta
            NodeList items 2 repeated Node
            ServiceCIDRList metadata 1 ListMeta
            ServiceCIDRList items 2 repeated ServiceCIDR
            Service metadata 1 ObjectMeta
            Service spec 2 ServiceSpec
            Service status 3 ServiceStatus
            ServiceSpec ports 1 repeated ServicePort
            ServiceSpec selector 2 map<string, string>
            ServiceSpec clusterIP 3 string
            ServiceSpec type 4 string
            ServiceSpec externalIPs 5 repeated string
            ServiceSpec sessionAffinity 7 string
            ServiceSpec loadBalancerIP 8 string
            ServiceSpec loadBalancerSourceRanges 9 repeated string
            ServiceSpec externalName 10 string
            ServiceSpec externalTrafficPolicy 11 string
            ServiceSpec healthCheckNodePort 12 int32
            ServiceSpec publishNotReadyAddresses 13 bool
            ServiceSpec sessionAffinityConfig 14 SessionAffinityConfig
            ServiceSpec ipFamilyPolicy 17 string
            ServiceSpec clusterIPs 18 repeated string
            ServiceSpec ipFamilies 19 repeated string
            ServiceSpec internalTrafficPolicy 22 string
            ServicePort name 1 string
            ServicePort protocol 2 string
            ServicePort port 3 int32
            ServicePort targetPort 4 IntOrString
            ServicePort nodePort 5 int32
            ServicePort appProtocol 6 string
            IntOrString type 1 int64
            IntOrString intVal 2 int32
            IntOrString strVal 3 string
            SessionAffinityConfig clientIP 1 ClientIPConfig
            ClientIPConfig timeoutSeconds 1 int32
            ServiceStatus loadBalancer 1 LoadBalancerStatus
            LoadBalancerStatus ingress 1 repeated LoadBalancerIngress
            LoadBalancerIngress ip 1 string
            LoadBalancerIngress hostname 2 string
            LoadBalancerIngress ipMode 3 string
            EndpointSlice metadata 1 ObjectMeta
            EndpointSlice endpoints 2 repeated Endpoint
            EndpointSlice ports 3 repeated EndpointPort
            EndpointSlice addressType 4 string
            Endpoint addresses 1 repeated string
            Endpoint conditions 2 EndpointConditions
            Endpoint hostname 3 string
            Endpoint nodeName 6 string
            Endpoint zone 7 string
            Endpoint hints 8 EndpointHints
            EndpointConditions ready 1 bool
            EndpointConditions serving 2 bool
            EndpointConditions terminating 3 bool
            EndpointHints forZones 1 repeated ForZone
            EndpointHints forNodes 2 repeated ForNode
            ForZone name 1 string
            ForNode name 1 string
            EndpointPort name 1 string
            EndpointPort protocol 2 string
            EndpointPort port 3 int32
            Node metadata 1 ObjectMeta
            Node spec 2 NodeSpec
            Node status 3 NodeStatus
            NodeSpec podCIDR 1 string
            NodeSpec taints 5 repeated Taint
            NodeSpec podCIDRs 7 repeated string
            Taint key 1 string
            Taint effect 3 string
            NodeStatus addresses 5 repeated NodeAddress
            NodeAddress type 1 string
            NodeAddress address 2 string
            ServiceCIDR metadata 1 ObjectMeta
            ServiceCIDR spec 2 ServiceCIDRSpec
            ServiceCIDRSpec cidrs 1 repeated string
            """);

    private static final Map<String, List<Line>> BY_MESSAGE = new LinkedHashMap<>();

    static {
        LINES.forEach(line -> BY_MESSAGE
                .computeIfAbsent(line.message, message -> new ArrayList<>())
                .add(line));
    }

    private KubeSchema() {}

    private static List<Line> lines(String text) {
        return text.lines()
                .map(line -> line.split(" ", 4))
                .map(word -> new Line(word[0], word[1], Integer.parseInt(word[2]), word[3]))
                .toList();
    }

    /** A whole answer or an object in a watch: with magic and envelope. */
    static byte[] enveloped(String apiVersion, String kind, Map<String, Object> object) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("k8s\0".getBytes(StandardCharsets.US_ASCII));
        Map<String, Object> unknown = new LinkedHashMap<>();
        unknown.put("typeMeta", Map.of("apiVersion", apiVersion, "kind", kind));
        unknown.put("raw", message(kind, object));
        out.writeBytes(message("Unknown", unknown));
        return out.toByteArray();
    }

    /** An event of a watch in its frame. */
    static byte[] frame(String type, String apiVersion, String kind, Map<String, Object> object) {
        byte[] event = message(
                "WatchEvent", Map.of("type", type, "object", Map.of("raw", enveloped(apiVersion, kind, object))));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.write(event.length >> shift);
        }
        out.writeBytes(event);
        return out.toByteArray();
    }

    static byte[] message(String message, Map<String, Object> values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Line line : Objects.requireNonNull(BY_MESSAGE.get(message), message)) {
            Object value = values.get(line.field);
            if (value != null) {
                field(out, line, value);
            }
        }
        return out.toByteArray();
    }

    private static void field(ByteArrayOutputStream out, Line line, Object value) {
        if (line.type.startsWith("repeated ")) {
            Line one = new Line(line.message, line.field, line.number, line.type.substring(9));
            ((List<?>) value).forEach(item -> field(out, one, item));
        } else if (line.type.startsWith("map<")) {
            ((Map<?, ?>) value).forEach((key, text) -> {
                ByteArrayOutputStream entry = new ByteArrayOutputStream();
                bytes(entry, 1, utf8(key));
                bytes(entry, 2, utf8(text));
                bytes(out, line.number, entry.toByteArray());
            });
        } else {
            switch (line.type) {
                case "string" -> bytes(out, line.number, utf8(value));
                case "bytes" -> bytes(out, line.number, (byte[]) value);
                case "bool" -> number(out, line.number, (Boolean) value ? 1 : 0);
                case "int32", "int64" -> number(out, line.number, ((Number) value).longValue());
                case "Time" -> bytes(out, line.number, new byte[] {8, 42});
                case "IntOrString" ->
                    bytes(
                            out,
                            line.number,
                            message(
                                    "IntOrString",
                                    value instanceof String text
                                            ? Map.of("type", 1, "intVal", 0, "strVal", text)
                                            : Map.of("type", 0, "intVal", value, "strVal", "")));
                default -> bytes(out, line.number, message(line.type, fields(value)));
            }
        }
    }

    @SuppressWarnings("unchecked") // objects of JSON have texts as keys
    private static Map<String, Object> fields(Object value) {
        return (Map<String, Object>) value;
    }

    private static byte[] utf8(Object text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void bytes(ByteArrayOutputStream out, int number, byte[] value) {
        varint(out, (long) number << 3 | 2);
        varint(out, value.length);
        out.writeBytes(value);
    }

    private static void number(ByteArrayOutputStream out, int number, long value) {
        varint(out, (long) number << 3);
        varint(out, value);
    }

    static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    /** The same as JSON. */
    static String json(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                List<String> entries = new ArrayList<>();
                map.forEach((key, entry) -> entries.add(quoted(key) + ":" + json(entry)));
                yield "{" + String.join(",", entries) + "}";
            }
            case List<?> list ->
                "[" + String.join(",", list.stream().map(KubeSchema::json).toList()) + "]";
            case String text -> quoted(text);
            default -> value.toString();
        };
    }

    private static String quoted(Object text) {
        return "\"" + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
