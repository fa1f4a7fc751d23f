package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.ProtoTag;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The envelope of an object: the magic bytes {@code k8s\0}, then {@code runtime.Unknown} with its kind and its bytes.
 *
 * @param start offset of the object's own message in the array
 */
record Envelope(String kind, int start, int length) {
    private static final byte[] MAGIC = "k8s\0".getBytes(StandardCharsets.US_ASCII);

    static final int MAGIC_LENGTH = MAGIC.length;

    /** Whether the byte is that of the magic at this index. */
    static boolean isMagic(byte next, int index) {
        return next == MAGIC[index];
    }

    static boolean begins(byte[] bytes, int at, int length) {
        if (length < MAGIC.length) {
            return false;
        }
        for (int i = 0; i < MAGIC.length; i++) {
            if (!isMagic(bytes[at + i], i)) {
                return false;
            }
        }
        return true;
    }

    /** @param position of these bytes in the response */
    static Envelope open(byte[] bytes, int at, int length, NamePool names, long position) throws WireException {
        if (!begins(bytes, at, length)) {
            throw WireException.at(position, "an object in protobuf begins with the bytes k8s\\0");
        }
        ProtoReader in = new ProtoReader(bytes, at + MAGIC.length, length - MAGIC.length, names);
        try {
            Envelope envelope = new Envelope("", at, 0);
            while (in.next()) {
                switch (in.tag()) {
                    case ProtoTag.UNKNOWN_TYPE_META ->
                        envelope = new Envelope(kind(in), envelope.start, envelope.length);
                    case ProtoTag.UNKNOWN_RAW -> {
                        int raw = in.length();
                        envelope = new Envelope(envelope.kind, in.textStart(raw), raw);
                    }
                    default -> in.skip();
                }
            }
            return envelope;
        } catch (IOException e) {
            throw in.wrong(position + MAGIC.length, "runtime.Unknown", e);
        }
    }

    /** Reads the kind from a {@code TypeMeta}. */
    private static String kind(ProtoReader in) throws IOException {
        int outer = in.enter();
        String kind = "";
        while (in.next()) {
            if (in.tag() == ProtoTag.TYPE_META_KIND) {
                kind = in.name();
            } else {
                in.skip();
            }
        }
        in.leave(outer);
        return kind;
    }
}
