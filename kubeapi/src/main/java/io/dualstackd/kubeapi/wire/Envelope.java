package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.Message;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The envelope of an object: the magic bytes {@code k8s\0}, then {@code runtime.Unknown} with its kind and its bytes.
 *
 * @param start offset of the object's own message in the array
 */
record Envelope(String kind, int start, int length) {
    static final Message UNKNOWN = Message.of("Unknown", "message typeMeta = 1, text raw = 2");
    static final Message TYPE_META = Message.of("TypeMeta", "text kind = 2");

    static final int MAGIC_LENGTH = 4;

    private static final byte[] MAGIC = "k8s\0".getBytes(StandardCharsets.US_ASCII);

    /** Whether the bytes begin with the magic, as far as they go. */
    static boolean begins(byte[] bytes, int at, int length) {
        int known = Math.min(length, MAGIC_LENGTH);
        return Arrays.equals(bytes, at, at + known, MAGIC, 0, known);
    }

    /** @param position of these bytes in the response */
    static Envelope open(byte[] bytes, int at, int length, ProtoReader in, long position) throws WireException {
        if (length < MAGIC_LENGTH || !begins(bytes, at, length)) {
            throw WireException.at(position, "an object in protobuf begins with the bytes k8s\\0");
        }
        String kind = "";
        int start = at;
        int size = 0;
        try {
            in.over(bytes, at + MAGIC_LENGTH, length - MAGIC_LENGTH).enter(UNKNOWN);
            while (in.next()) {
                if (in.field().equals("raw")) {
                    size = in.bytes();
                    start = in.bytesStart();
                } else {
                    kind = kind(in);
                }
            }
        } catch (IOException e) {
            throw in.wrong(position + MAGIC_LENGTH, "runtime.Unknown", e);
        }
        return new Envelope(kind, start, size);
    }

    /** Reads the kind from a {@code TypeMeta}; empty when there is none. */
    static String kind(ProtoReader in) throws IOException {
        String kind = "";
        in.enter(TYPE_META);
        while (in.next()) {
            kind = in.name();
        }
        return kind;
    }
}
