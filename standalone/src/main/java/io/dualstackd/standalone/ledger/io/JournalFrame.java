package io.dualstackd.standalone.ledger.io;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A record of the journal: a marker, the length of the payload, the number of its batch, a checksum over all of it, the payload. All numbers
 * are big-endian.
 *
 * @param offset of its first byte in the file
 * @param batch counts up by one from batch to batch
 */
// Created to be read or written once, never compared.
@SuppressWarnings("ArrayRecordComponent")
record JournalFrame(long offset, long batch, byte[] payload) {
    /** The marker for finding the next record after invalid bytes; not a text that occurs in a manifest. */
    static final int MARKER = 0xD5A1_1EDB;

    static final int HEADER = 20;

    /** The maximum size of a payload; larger objects are refused earlier. */
    static final int MAX_PAYLOAD = 8 * 1024 * 1024;

    long end() {
        return offset + HEADER + payload.length;
    }

    /** The record's bytes. */
    static byte[] bytes(long batch, byte[] payload) {
        return ByteBuffer.allocate(HEADER + payload.length)
                .putInt(MARKER)
                .putInt(payload.length)
                .putLong(batch)
                .putInt(checksum(payload.length, batch, payload))
                .put(payload)
                .array();
    }

    static int checksum(int length, long batch, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(12).putInt(length).putLong(batch).flip());
        crc.update(payload, 0, payload.length);
        return (int) crc.getValue();
    }
}
