package io.dualstackd.dns.message;

import java.util.Arrays;
import java.util.HexFormat;

/** An immutable sequence of bytes. */
public final class MessageBytes {
    private final byte[] bytes;

    private MessageBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Copies the bytes. */
    public static MessageBytes of(byte[] bytes) {
        return new MessageBytes(bytes.clone());
    }

    int size() {
        return bytes.length;
    }

    void copyTo(byte[] to, int at) {
        System.arraycopy(bytes, 0, to, at, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
