package io.dualstackd.dataplane.diff.elements;

import java.nio.ByteOrder;

/** The number at the end of a key of a map of endpoints: what the kernel draws, in the host's byte order. */
final class SlotKey {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private SlotKey() {}

    static void number(byte[] key, int at, int number) {
        for (int i = 0; i < Integer.BYTES; i++) {
            key[at + (LITTLE_ENDIAN ? i : Integer.BYTES - 1 - i)] = (byte) (number >> (8 * i));
        }
    }
}
