package io.dualstackd.kubeapi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.WireException;
import io.dualstackd.netlink.random.Tries;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Both encodings of the same objects mean the same, however their bytes are cut, and sound objects mean what manifests mean. */
final class BothEncodingsProperties {
    private static final WireFormat PROTOBUF = WireFormat.PROTOBUF;
    private static final WireFormat JSON = WireFormat.JSON;

    @Test
    void listsMeanTheSame() {
        Tries.of(300, draw -> listsMeanTheSame(draw.seed(), draw.bool(), draw.one(Answers.Kind.class)));
    }

    private void listsMeanTheSame(long seed, boolean odd, Answers.Kind kind) throws WireException {
        Answers answers = new Answers(kind, seed, odd);
        Recorded proto = new Recorded();
        Recorded json = new Recorded();
        Random cuts = new Random(seed);

        feed(PROTOBUF.list(kind.key(), proto), answers.protobufList(), cuts);
        feed(JSON.list(kind.key(), json), answers.jsonList(), cuts);

        assertThat(proto.recorded)
                .isEqualTo(json.recorded)
                .hasSize(answers.objects().size() + 1);
        assertThat(proto.dropped).isEqualTo(json.dropped);
        if (!odd) {
            assertThat(proto.dropped).isEmpty();
            assertThat(proto.objects).isEqualTo(manifests(answers));
        }
    }

    /** What the decoder of manifests makes of the same objects; those it refuses must be refused for rules about combinations only. */
    private static List<ApiObject> manifests(Answers answers) {
        String text = KubeSchema.json(Map.of("apiVersion", "v1", "kind", "List", "items", answers.typedObjects()));
        Decoded decoded = Manifests.decode("list", text);
        assertThat(decoded.problems().stream().filter(p -> p.isError())).isEmpty();
        return decoded.objects().stream().map(LocatedObject::object).toList();
    }

    @Test
    void watchesMeanTheSame() {
        Tries.of(200, draw -> watchesMeanTheSame(draw.seed(), draw.bool(), draw.one(Answers.Kind.class)));
    }

    private void watchesMeanTheSame(long seed, boolean odd, Answers.Kind kind) throws WireException {
        Answers answers = new Answers(kind, seed, odd);
        Recorded proto = new Recorded();
        Recorded json = new Recorded();
        Random cuts = new Random(seed);

        feed(PROTOBUF.watch(kind.key(), proto), answers.protobufWatch(), cuts);
        feed(JSON.watch(kind.key(), json), answers.jsonWatch(), cuts);

        assertThat(proto.recorded).isEqualTo(json.recorded).isNotEmpty();
        assertThat(proto.recorded)
                .contains(List.of("bookmark", "4711", true), List.of("bookmark", "4712", false))
                .endsWith(List.of("error", new ApiStatus(410, "Expired", "too old", OptionalInt.of(7))));
    }

    static void feed(WireDecoder decoder, byte[] bytes, Random cuts) throws WireException {
        int at = 0;
        while (at < bytes.length) {
            int size =
                    Math.min(bytes.length - at, cuts.nextInt(4) == 0 ? 1 + cuts.nextInt(5) : 1 + cuts.nextInt(2_000));
            ByteBuffer piece = cuts.nextBoolean() ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            piece.put(bytes, at, size).flip();
            decoder.feed(piece);
            assertThat(piece.hasRemaining()).isFalse();
            at += size;
        }
        decoder.end();
    }

    /** Objects of one kind, as answers in both encodings. */
    static final class Answers {
        enum Kind {
            SERVICE(ObjectKey.Kind.SERVICE),
            SLICE(ObjectKey.Kind.ENDPOINT_SLICE),
            NODE(ObjectKey.Kind.NODE),
            SERVICE_CIDR(ObjectKey.Kind.SERVICE_CIDR);

            private final ObjectKey.Kind key;

            Kind(ObjectKey.Kind key) {
                this.key = key;
            }

            ObjectKey.Kind key() {
                return key;
            }
        }

        private final ObjectKey.Kind kind;
        private final List<Map<String, Object>> objects = new ArrayList<>();

        Answers(Kind kind, long seed, boolean odd) {
            this(kind, seed, odd, new Random(seed).nextInt(8));
        }

        Answers(Kind kind, long seed, boolean odd, int count) {
            this.kind = kind.key();
            RandomObjects madeUp = new RandomObjects(seed, odd);
            for (int i = 0; i < count; i++) {
                objects.add(
                        switch (kind) {
                            case SERVICE -> madeUp.service(i);
                            case SLICE -> madeUp.slice(i);
                            case NODE -> madeUp.node(i);
                            case SERVICE_CIDR -> madeUp.serviceCidr(i);
                        });
            }
        }

        List<Map<String, Object>> objects() {
            return objects;
        }

        List<Map<String, Object>> typedObjects() {
            return objects.stream().map(this::typed).toList();
        }

        private Map<String, Object> typed(Map<String, Object> object) {
            Map<String, Object> typed = new LinkedHashMap<>();
            typed.put("kind", kind.toString());
            typed.put("apiVersion", kind.apiVersion());
            typed.putAll(object);
            return typed;
        }

        private Map<String, Object> list() {
            Map<String, Object> list = new LinkedHashMap<>();
            list.put("metadata", Map.of("resourceVersion", "4711", "continue", "more", "remainingItemCount", 12));
            list.put("items", objects);
            return list;
        }

        byte[] protobufList() {
            return KubeSchema.enveloped(kind.apiVersion(), kind + "List", list());
        }

        byte[] jsonList() {
            Map<String, Object> list = new LinkedHashMap<>();
            list.put("kind", kind + "List");
            list.put("apiVersion", kind.apiVersion());
            list.putAll(list());
            return KubeSchema.json(list).getBytes(StandardCharsets.UTF_8);
        }

        private record Event(String type, String apiVersion, String kind, Map<String, Object> object) {}

        private List<Event> events() {
            List<Event> events = new ArrayList<>();
            List<String> verbs = List.of("ADDED", "MODIFIED", "DELETED");
            for (int i = 0; i < objects.size(); i++) {
                events.add(new Event(verbs.get(i % 3), kind.apiVersion(), kind.toString(), objects.get(i)));
            }
            events.add(new Event(
                    "BOOKMARK",
                    kind.apiVersion(),
                    kind.toString(),
                    Map.of(
                            "metadata",
                            Map.of(
                                    "resourceVersion",
                                    "4711",
                                    "annotations",
                                    Map.of("k8s.io/initial-events-end", "true")))));
            events.add(new Event(
                    "BOOKMARK",
                    kind.apiVersion(),
                    kind.toString(),
                    Map.of("metadata", Map.of("resourceVersion", "4712"))));
            events.add(new Event(
                    "ERROR",
                    "v1",
                    "Status",
                    Map.of(
                            "status",
                            "Failure",
                            "message",
                            "too old",
                            "reason",
                            "Expired",
                            "code",
                            410,
                            "details",
                            Map.of("retryAfterSeconds", 7))));
            return events;
        }

        byte[] protobufWatch() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (Event event : events()) {
                out.writeBytes(KubeSchema.frame(event.type, event.apiVersion, event.kind, event.object));
            }
            return out.toByteArray();
        }

        byte[] jsonWatch() {
            StringBuilder text = new StringBuilder();
            for (Event event : events()) {
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("kind", event.kind);
                object.put("apiVersion", event.apiVersion);
                object.putAll(event.object);
                text.append(KubeSchema.json(Map.of("type", event.type, "object", object)))
                        .append('\n');
            }
            return text.toString().getBytes(StandardCharsets.UTF_8);
        }
    }
}
