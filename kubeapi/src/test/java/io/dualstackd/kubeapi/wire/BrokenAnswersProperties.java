package io.dualstackd.kubeapi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.BothEncodingsProperties.Answers;
import io.dualstackd.kubeapi.wire.raw.WireException;
import io.dualstackd.netlink.random.Tries;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Answers that are truncated, damaged or of another format: an error with its position, and no more memory than their bytes justify. */
final class BrokenAnswersProperties {
    private static final WireFormat PROTOBUF = WireFormat.PROTOBUF;
    private static final WireFormat JSON = WireFormat.JSON;
    /** Of one decoder, whatever it is fed. */
    private static final long FIXED = 200_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    enum Shape {
        PROTOBUF_LIST,
        PROTOBUF_WATCH,
        JSON_LIST,
        JSON_WATCH;

        byte[] bytes(Answers answers) {
            return switch (this) {
                case PROTOBUF_LIST -> answers.protobufList();
                case PROTOBUF_WATCH -> answers.protobufWatch();
                case JSON_LIST -> answers.jsonList();
                case JSON_WATCH -> answers.jsonWatch();
            };
        }

        WireDecoder decoder(ObjectKey.Kind kind, Recorded to) {
            return switch (this) {
                case PROTOBUF_LIST -> PROTOBUF.list(kind, to);
                case PROTOBUF_WATCH -> PROTOBUF.watch(kind, to);
                case JSON_LIST -> JSON.list(kind, to);
                case JSON_WATCH -> JSON.watch(kind, to);
            };
        }
    }

    @Test
    void aListThatIsCutOffIsNoList() {
        Tries.of(300, draw -> aListThatIsCutOffIsNoList(draw.seed(), draw.one(Answers.Kind.class), draw.bool()));
    }

    private void aListThatIsCutOffIsNoList(long seed, Answers.Kind kind, boolean proto) {
        Shape shape = proto ? Shape.PROTOBUF_LIST : Shape.JSON_LIST;
        Random random = new Random(seed);
        byte[] whole = shape.bytes(new Answers(kind, seed, false));
        byte[] cut = Arrays.copyOf(whole, random.nextInt(whole.length));
        Recorded recorded = new Recorded();

        assertThatThrownBy(() -> BothEncodingsProperties.feed(shape.decoder(kind.key(), recorded), cut, random))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("byte ");
        assertThat(recorded.recorded)
                .noneMatch(one -> ((List<?>) one).getFirst().equals("listed"));
    }

    /** What was delivered before the cut stays valid; half an event is never delivered. */
    @Test
    void truncatedWatchDeliversCompleteEvents() {
        Tries.of(
                300,
                draw -> truncatedWatchDeliversCompleteEvents(draw.seed(), draw.one(Answers.Kind.class), draw.bool()));
    }

    private void truncatedWatchDeliversCompleteEvents(long seed, Answers.Kind kind, boolean proto)
            throws WireException {
        Shape shape = proto ? Shape.PROTOBUF_WATCH : Shape.JSON_WATCH;
        Random random = new Random(seed);
        byte[] bytes = shape.bytes(new Answers(kind, seed, false));
        Recorded all = new Recorded();
        BothEncodingsProperties.feed(shape.decoder(kind.key(), all), bytes, random);
        Recorded some = new Recorded();
        byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        try {
            BothEncodingsProperties.feed(shape.decoder(kind.key(), some), cut, random);
        } catch (WireException e) {
            assertThat(e).hasMessageContaining("byte ");
        }
        assertThat(some.recorded)
                .hasSizeLessThan(all.recorded.size() + 1)
                .isEqualTo(all.recorded.subList(0, some.recorded.size()));
    }

    @Test
    void damageIsAnErrorOrAnotherValue() {
        Tries.of(
                2_000,
                draw -> damageIsAnErrorOrAnotherValue(
                        draw.seed(), draw.one(Answers.Kind.class), draw.one(Shape.class)));
    }

    private void damageIsAnErrorOrAnotherValue(long seed, Answers.Kind kind, Shape shape) {
        Random random = new Random(seed);
        byte[] bytes = shape.bytes(new Answers(kind, seed, false));
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        // Not the first time, which loads classes.
        decode(shape.decoder(kind.key(), new Recorded()), bytes);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        decode(shape.decoder(kind.key(), new Recorded()), bytes);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(FIXED + 100L * bytes.length);
    }

    private static void decode(WireDecoder decoder, byte[] bytes) {
        try {
            decoder.feed(ByteBuffer.wrap(bytes));
            decoder.end();
        } catch (WireException e) {
            assertThat(e).hasMessageContaining("byte ");
        }
    }

    @Test
    void reportsBrokenList() {
        assertThatThrownBy(() -> list(PROTOBUF, "<html>".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("byte 0 of the answer: an answer in protobuf begins with the bytes k8s\\0");
        assertThatThrownBy(() -> list(JSON, "<html>".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("not JSON: ");
        assertThatThrownBy(() -> list(JSON, "[]".getBytes(StandardCharsets.UTF_8)))
                .hasMessageEndingWith("a list in JSON begins with {");
        assertThatThrownBy(() -> list(JSON, "{\"kind\":\"Status\"}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageEndingWith("a Status where a ServiceList was asked for");
        assertThatThrownBy(() -> list(JSON, "{}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageEndingWith("an object without kind where a ServiceList was asked for");
        assertThatThrownBy(() -> list(JSON, "{\"items\":[],\"kind\":\"\"}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageEndingWith("an object without kind where a ServiceList was asked for");
        assertThatThrownBy(() -> list(PROTOBUF, KubeSchema.enveloped("v1", "NodeList", Map.of())))
                .hasMessageEndingWith("a NodeList where a ServiceList was asked for");
        assertThatThrownBy(() -> list(PROTOBUF, new byte[0])).hasMessageEndingWith("the list ends in the middle");
    }

    @Test
    void anObjectLargerThanAnyIsRefusedBeforeItComes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("k8s\0".getBytes(StandardCharsets.US_ASCII));
        out.write(2 << 3 | 2);
        KubeSchema.varint(out, 2_000_000_000);
        out.write(2 << 3 | 2);
        KubeSchema.varint(out, 1_000_000_000);
        assertThatThrownBy(() -> list(PROTOBUF, out.toByteArray()))
                .hasMessageEndingWith("an object of 1000000000 bytes; no more than 8388608 are read");

        WireDecoder watch = PROTOBUF.watch(ObjectKey.Kind.SERVICE, new Recorded());
        assertThatThrownBy(() -> watch.feed(ByteBuffer.wrap(new byte[] {-1, 0, 0, 0})))
                .hasMessageEndingWith("an object of 4278190080 bytes; no more than 8388608 are read");

        WireDecoder json = JSON.list(ObjectKey.Kind.SERVICE, new Recorded());
        byte[] begin = "{\"items\":[{\"metadata\":{\"annotations\":{".getBytes(StandardCharsets.UTF_8);
        byte[] more = "\"a\":\"%s\",".formatted("x".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> {
                    json.feed(ByteBuffer.wrap(begin));
                    for (int i = 0; i < 100; i++) {
                        json.feed(ByteBuffer.wrap(more));
                    }
                })
                .hasMessageContaining("no more than 8388608 are read");
    }

    @Test
    void whyNotIsReadInBothEncodings() {
        Map<String, Object> status =
                Map.of("status", "Failure", "message", "no", "reason", "Forbidden", "code", 403, "details", Map.of());
        ApiStatus forbidden = new ApiStatus(403, "Forbidden", "no", OptionalInt.empty());
        byte[] json = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"no\",\"reason\":\"Forbidden\"}"
                .getBytes(StandardCharsets.UTF_8);

        assertThat(PROTOBUF.status(403, KubeSchema.enveloped("v1", "Status", status)))
                .isEqualTo(forbidden);
        assertThat(PROTOBUF.status(403, json)).isEqualTo(forbidden);
        assertThat(JSON.status(403, json)).isEqualTo(forbidden);
        assertThat(JSON.status(502, "<html>".getBytes(StandardCharsets.UTF_8))).isEqualTo(ApiStatus.of(502));
        assertThat(PROTOBUF.status(502, new byte[] {107, 56, 115, 0, 10})).isEqualTo(ApiStatus.of(502));
    }

    @Test
    void causesAreReadInBothEncodings() {
        ApiStatus terminating = new ApiStatus(
                403, "Forbidden", "no", OptionalInt.empty(), List.of("NamespaceTerminating", "FieldValueInvalid"));
        byte[] json =
                ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"no\",\"reason\":\"Forbidden\",\"code\":403,"
                                + "\"details\":{\"name\":\"a\",\"causes\":[{\"reason\":\"NamespaceTerminating\",\"message\":\"m\","
                                + "\"field\":\"metadata.namespace\"},{\"reason\":\"FieldValueInvalid\"}]}}")
                        .getBytes(StandardCharsets.UTF_8);
        Map<String, Object> causes = Map.of(
                "causes", List.of(Map.of("reason", "NamespaceTerminating"), Map.of("reason", "FieldValueInvalid")));

        assertThat(JSON.status(403, json)).isEqualTo(terminating);
        assertThat(PROTOBUF.status(
                        403,
                        KubeSchema.enveloped(
                                "v1",
                                "Status",
                                Map.of("message", "no", "reason", "Forbidden", "code", 403, "details", causes))))
                .isEqualTo(terminating);
    }

    private static void list(WireFormat wire, byte[] bytes) throws WireException {
        WireDecoder decoder = wire.list(ObjectKey.Kind.SERVICE, new Recorded());
        decoder.feed(ByteBuffer.wrap(bytes));
        decoder.end();
    }
}
