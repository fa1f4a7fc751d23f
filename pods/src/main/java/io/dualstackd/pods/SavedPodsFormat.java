package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pods.Pod.PodSandbox;
import io.dualstackd.pods.cri.ContainerState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * {@link SavedPods} as bytes: a line of text that identifies the format, then the values in the order of their records as {@link
 * DataOutputStream} writes them, each list after its length and long texts in pieces; a CRC-32 of all that at the end.
 */
public final class SavedPodsFormat {
    private static final byte[] HEAD = "dualstackd pods, format 2\n".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKSUM = Integer.BYTES;
    /** The characters of a piece of text, of up to three bytes each; another piece follows one of exactly this length. */
    private static final int PIECE = 20_000;

    /** Writes one value. */
    private interface Writer<T> {
        void write(DataOutputStream out, T value) throws IOException;
    }

    /** Reads one value. */
    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    private SavedPodsFormat() {}

    public static byte[] write(SavedPods last) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(HEAD);
            text(out, last.boot());
            text(out, last.runtime());
            text(out, last.processNamespace());
            list(out, last.pods().all(), SavedPodsFormat::pod);
            list(out, last.pods().nodeIps(), SavedPodsFormat::ip);
            list(out, last.visible(), SavedPodsFormat::text);
            out.flush();
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    /** @throws IllegalArgumentException saying why these bytes cannot be used */
    public static SavedPods read(byte[] bytes) {
        int end = bytes.length - CHECKSUM;
        if (end < HEAD.length || !Arrays.equals(bytes, 0, HEAD.length, HEAD, 0, HEAD.length)) {
            throw new IllegalArgumentException("not written by this version of dualstackd");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            in.skipNBytes(end);
            if (in.readInt() != checksum(bytes, end)) {
                throw new IllegalArgumentException("damaged: wrong checksum");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(bytes, HEAD.length, end - HEAD.length))) {
            return new SavedPods(
                    text(in),
                    text(in),
                    text(in),
                    new Pods(list(in, SavedPodsFormat::pod), list(in, SavedPodsFormat::ip)),
                    new HashSet<>(list(in, SavedPodsFormat::text)));
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("not readable: " + e.getMessage(), e);
        }
    }

    private static int checksum(byte[] bytes, int end) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, end);
        return (int) crc.getValue();
    }

    private static <T> void list(DataOutputStream out, Collection<T> values, Writer<T> writer) throws IOException {
        out.writeInt(values.size());
        for (T value : values) {
            writer.write(out, value);
        }
    }

    private static <T> List<T> list(DataInputStream in, Reader<T> reader) throws IOException {
        List<T> values = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            values.add(reader.read(in));
        }
        return values;
    }

    /** Writes a text in pieces: {@code writeUTF} takes at most 65,535 bytes, and a runtime may report longer labels. */
    private static void text(DataOutputStream out, String text) throws IOException {
        int from = 0;
        for (; text.length() - from >= PIECE; from += PIECE) {
            out.writeUTF(text.substring(from, from + PIECE));
        }
        out.writeUTF(text.substring(from));
    }

    private static String text(DataInputStream in) throws IOException {
        String piece = in.readUTF();
        if (piece.length() != PIECE) {
            return piece;
        }
        StringBuilder text = new StringBuilder();
        for (; piece.length() == PIECE; piece = in.readUTF()) {
            text.append(piece);
        }
        return text.append(piece).toString();
    }

    private static void pod(DataOutputStream out, Pod pod) throws IOException {
        text(out, pod.namespace());
        text(out, pod.name());
        text(out, pod.uid());
        text(out, pod.sandbox().id());
        out.writeLong(pod.sandbox().attempt());
        text(out, pod.sandbox().createdAt().toString());
        out.writeBoolean(pod.sandbox().ready());
        out.writeInt(pod.sandbox().process());
        out.writeBoolean(pod.sandbox().known());
        out.writeBoolean(pod.sandbox().ofKubelet());
        out.writeBoolean(pod.onHostNetwork());
        list(out, pod.ips(), SavedPodsFormat::ip);
        list(out, pod.labels().entrySet(), (to, label) -> {
            text(to, label.getKey());
            text(to, label.getValue());
        });
        list(out, pod.containers(), SavedPodsFormat::container);
    }

    private static Pod pod(DataInputStream in) throws IOException {
        return new Pod(
                text(in),
                text(in),
                text(in),
                new PodSandbox(
                        text(in),
                        in.readLong(),
                        Instant.parse(text(in)),
                        in.readBoolean(),
                        in.readInt(),
                        in.readBoolean(),
                        in.readBoolean()),
                in.readBoolean(),
                list(in, SavedPodsFormat::ip),
                labels(in),
                list(in, SavedPodsFormat::container));
    }

    private static void ip(DataOutputStream out, Ip ip) throws IOException {
        text(out, ip.toString());
    }

    private static Ip ip(DataInputStream in) throws IOException {
        return Ip.parse(text(in));
    }

    private static Map<String, String> labels(DataInputStream in) throws IOException {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            labels.put(text(in), text(in));
        }
        return labels;
    }

    private static void container(DataOutputStream out, PodContainer container) throws IOException {
        text(out, container.name());
        out.writeLong(container.restarts());
        text(out, container.state().name());
        list(out, container.ports(), (to, port) -> {
            text(to, port.name());
            to.writeInt(port.port());
            to.writeInt(port.protocol().number());
        });
    }

    private static PodContainer container(DataInputStream in) throws IOException {
        return new PodContainer(
                text(in),
                in.readLong(),
                ContainerState.valueOf(text(in)),
                list(in, from -> new ContainerPort(text(from), from.readInt(), new Proto(from.readInt()))));
    }
}
