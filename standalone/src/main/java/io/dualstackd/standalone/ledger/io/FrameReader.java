package io.dualstackd.standalone.ledger.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** Reads records of a journal, one after the other or at any offset. */
final class FrameReader {
    private static final int WINDOW = 64 * 1024;

    private final FileChannel file;
    private final long size;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowAt;

    FrameReader(FileChannel file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    long size() {
        return size;
    }

    /** The bytes at {@code offset}; {@code length} may not reach beyond the end. The buffer is valid until the next call. */
    ByteBuffer bytes(long offset, int length) throws IOException {
        if (offset < windowAt || offset + length > windowAt + window.limit()) {
            window = ByteBuffer.allocate((int) Math.min(size - offset, Math.max(WINDOW, length)));
            windowAt = offset;
            while (window.hasRemaining()) {
                if (file.read(window, offset + window.position()) < 0) {
                    throw new IOException("the file became shorter while it was read");
                }
            }
            window.flip();
        }
        return window.slice((int) (offset - windowAt), length);
    }

    /** The record that begins at {@code offset}; empty when none does. */
    Optional<JournalFrame> at(long offset) throws IOException {
        if (size - offset < JournalFrame.HEADER) {
            return Optional.empty();
        }
        ByteBuffer header = bytes(offset, JournalFrame.HEADER);
        int marker = header.getInt();
        int length = header.getInt();
        long batch = header.getLong();
        int checksum = header.getInt();
        if (marker != JournalFrame.MARKER
                || length < 0
                || length > JournalFrame.MAX_PAYLOAD
                || length > size - offset - JournalFrame.HEADER) {
            return Optional.empty();
        }
        byte[] payload = new byte[length];
        bytes(offset + JournalFrame.HEADER, length).get(payload);
        return checksum == JournalFrame.checksum(length, batch, payload)
                ? Optional.of(new JournalFrame(offset, batch, payload))
                : Optional.empty();
    }

    /** The first record that begins at or after {@code from}. */
    Optional<JournalFrame> next(long from) throws IOException {
        for (long offset = from; size - offset >= JournalFrame.HEADER; offset++) {
            if (bytes(offset, Integer.BYTES).getInt() == JournalFrame.MARKER) {
                Optional<JournalFrame> frame = at(offset);
                if (frame.isPresent()) {
                    return frame;
                }
            }
        }
        return Optional.empty();
    }
}
