package io.dualstackd.standalone.ledger.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerChange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads a journal from its beginning to the end of its last complete batch. */
final class JournalReader {
    private static final String BEGINNING = "dualstackd ledger 1\n";
    private static final byte COMMIT = '.';

    private final Path path;
    private final FrameReader frames;
    private final SortedMap<ObjectKey, Entry> entries = new TreeMap<>();
    /** The bytes of the record of each entry. */
    private final Map<ObjectKey, Long> sizes = new HashMap<>();

    private long batch;
    private long end;
    private boolean begun;

    private JournalReader(Path path, FrameReader frames) {
        this.path = path;
        this.frames = frames;
    }

    /**
     * The content of a journal.
     *
     * @param batch number of the last batch
     * @param end offset after the last batch, 0 when there is no file
     * @param present the bytes of the entries that are still present, without their history
     * @param cut what follows and is ignored, for people
     */
    record Content(SortedMap<ObjectKey, Entry> entries, long batch, long end, long present, Optional<String> cut) {}

    /** A change, and the bytes of its record. */
    private record Recorded(LedgerChange change, long bytes) {}

    static byte[] beginning() {
        return BEGINNING.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the record that ends a batch of this many changes. */
    static byte[] commit(int changes) {
        return ByteBuffer.allocate(1 + Integer.BYTES)
                .put(COMMIT)
                .putInt(changes)
                .array();
    }

    /** @throws LedgerDamaged when data cannot be read that was once completely written */
    static Content read(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            return new JournalReader(path, new FrameReader(file)).content();
        } catch (NoSuchFileException e) {
            return new Content(new TreeMap<>(), 0, 0, 0, Optional.empty());
        }
    }

    private Content content() throws IOException {
        byte[] expected = beginning();
        byte[] found = new byte[(int) Math.min(expected.length, frames.size())];
        frames.bytes(0, found.length).get(found);
        if (!Arrays.equals(found, expected)) {
            throw damaged(0, "it is not a ledger of this version");
        }
        end = expected.length;
        long offset = end;
        List<Recorded> changes = new ArrayList<>();
        for (Optional<JournalFrame> frame = frames.at(offset); frame.isPresent(); frame = frames.at(offset)) {
            take(frame.get(), changes);
            offset = frame.get().end();
        }
        long present = sizes.values().stream().mapToLong(Long::longValue).sum();
        return new Content(entries, batch, end, present, rest(offset));
    }

    private void take(JournalFrame journalFrame, List<Recorded> changes) throws IOException {
        // The first batch may have any number: the log was rewritten.
        if (begun && journalFrame.batch() != batch + 1) {
            throw damaged(journalFrame.offset(), "batch " + journalFrame.batch() + " follows batch " + batch);
        }
        if (journalFrame.payload().length == 0 || journalFrame.payload()[0] != COMMIT) {
            try {
                long bytes = journalFrame.end() - journalFrame.offset();
                changes.add(new Recorded(EntryCodec.decode(journalFrame.payload()), bytes));
            } catch (IOException e) {
                throw damaged(journalFrame.offset(), String.valueOf(e.getMessage()));
            }
            return;
        }
        if (!Arrays.equals(journalFrame.payload(), commit(changes.size()))) {
            throw damaged(journalFrame.offset(), "records of batch " + journalFrame.batch() + " are missing");
        }
        changes.forEach(this::apply);
        changes.clear();
        begun = true;
        batch = journalFrame.batch();
        end = journalFrame.end();
    }

    private void apply(Recorded recorded) {
        switch (recorded.change()) {
            case LedgerChange.Put(Entry entry) -> {
                entries.put(entry.key(), entry);
                sizes.put(entry.key(), recorded.bytes());
            }
            case LedgerChange.Gone(ObjectKey key) -> {
                entries.remove(key);
                sizes.remove(key);
            }
        }
    }

    /**
     * Judges the bytes from {@code offset} on, where no record begins. Files are written from front to back, so a batch whose end is
     * present was once complete.
     */
    private Optional<String> rest(long offset) throws IOException {
        if (!begun) {
            // It was renamed to its final name when it was complete.
            throw damaged(offset, "its first batch, which was complete once, is damaged");
        }
        for (Optional<JournalFrame> later = frames.next(offset);
                later.isPresent();
                later = frames.next(later.get().end())) {
            JournalFrame journalFrame = later.get();
            if (journalFrame.batch() > batch + 1
                    || (journalFrame.payload().length > 0 && journalFrame.payload()[0] == COMMIT)) {
                throw damaged(
                        offset,
                        "there is no record at this place, but whole records follow from byte " + journalFrame.offset()
                                + " on, so this is not an interrupted write");
            }
        }
        return frames.size() == end
                ? Optional.empty()
                : Optional.of("the last " + (frames.size() - end) + " bytes of " + path + ", from byte " + end
                        + " on, are not a whole batch: a write was interrupted; they are ignored");
    }

    private LedgerDamaged damaged(long offset, String why) {
        return LedgerDamaged.at(path, offset, frames.size(), why);
    }

    /** Reads records of a journal, one after the other or at any offset. */
    private static final class FrameReader {
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
}
