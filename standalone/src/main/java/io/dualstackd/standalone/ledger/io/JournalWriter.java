package io.dualstackd.standalone.ledger.io;

import io.dualstackd.standalone.ledger.LedgerChange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;

/** Appends to a journal in chunks. Nothing is guaranteed to be on the medium before the file is forced. */
final class JournalWriter {
    private static final int PORTION = 64 * 1024;

    private final LogFile file;
    private ByteBuffer portion = ByteBuffer.allocate(PORTION);
    private long flushed;

    /** @param end where to write */
    JournalWriter(LogFile file, long end) {
        this.file = file;
        this.flushed = end;
    }

    /** Writes the first bytes of a journal. */
    void beginning() throws IOException {
        put(JournalReader.beginning());
    }

    void batch(long number, Collection<LedgerChange> changes) throws IOException {
        for (LedgerChange ledgerChange : changes) {
            put(JournalFrame.bytes(number, EntryCodec.encode(ledgerChange)));
        }
        put(JournalFrame.bytes(number, JournalReader.commit(changes.size())));
        flush();
    }

    /** The offset after the last byte written. */
    long end() {
        return flushed + portion.position();
    }

    private void put(byte[] bytes) throws IOException {
        if (bytes.length > portion.remaining()) {
            flush();
        }
        if (bytes.length > portion.capacity()) {
            file.write(ByteBuffer.wrap(bytes), flushed);
            flushed += bytes.length;
        } else {
            portion.put(bytes);
        }
    }

    private void flush() throws IOException {
        int length = portion.flip().remaining();
        file.write(portion, flushed);
        flushed += length;
        portion = portion.clear();
    }
}
