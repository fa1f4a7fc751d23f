package io.dualstackd.standalone.ledger.io;

import java.io.IOException;
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

    /**
     * The record's bytes.
     *
     * @throws IOException when the record would be too large to be read again
     */
    static byte[] bytes(long batch, byte[] payload) throws IOException {
        if (payload.length > MAX_PAYLOAD) {
            throw new IOException("a record of " + payload.length + " bytes is larger than " + MAX_PAYLOAD);
        }
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
