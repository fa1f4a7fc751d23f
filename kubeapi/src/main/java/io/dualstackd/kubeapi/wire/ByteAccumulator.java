package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.WireException;
import java.util.Arrays;

/** The bytes of one object that arrive in pieces. Grows as they arrive, never because a length was announced. */
final class ByteAccumulator {
    /** Maximum size of an object in bytes; by default etcd stores none above 1.5 MiB. */
    static final int MAX = 8 * 1024 * 1024;

    private static final int FIRST = 8 * 1024;
    /** A larger array is not kept for the next object. */
    private static final int LARGE = 1024 * 1024;

    private byte[] bytes = new byte[FIRST];
    private int size;

    int size() {
        return size;
    }

    byte[] bytes() {
        return bytes;
    }

    void add(byte[] from, int at, int length) {
        if (length > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, Math.min(2 * bytes.length, MAX)));
        }
        System.arraycopy(from, at, bytes, size, length);
        size += length;
    }

    void clear() {
        size = 0;
        if (bytes.length > LARGE) {
            bytes = new byte[FIRST];
        }
    }

    /** @throws WireException if an object of this length is too large */
    static void check(long length, long position) throws WireException {
        if (length < 0 || length > MAX) {
            throw WireException.at(
                    position,
                    "an object of " + Integer.toUnsignedString((int) length) + " bytes; no more than " + MAX
                            + " are read");
        }
    }
}
