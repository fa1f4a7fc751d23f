package io.dualstackd.standalone.ledger.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerChange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps entries in one file. A batch of changes is there whole or not at all, and when {@link #write} has returned, it is on the medium.
 *
 * <p>The file is a log: first everything there was when it was begun, then batch after batch. Each record has a checksum, and a batch
 * counts from the record that ends it. When it has doubled, it is written anew beside itself and renamed. What follows the last whole
 * batch was being written when the machine or the process died; it is cut off. Anything else that cannot be read is not guessed at.
 *
 * <p>Used by one thread, but for {@link #entries}.
 */
public final class Journal implements AutoCloseable {
    private static final String NAME = "ledger.log";
    private static final int SMALLEST_REWRITE = 1024 * 1024;

    private final Path folder;
    private final Path file;
    private final LogFile.Opener opener;
    private final SortedMap<ObjectKey, Entry> entries;
    private final Optional<String> cut;
    private @Nullable LogFile log;
    private @Nullable FileChannel lock;
    private long batch;
    /** Where the next batch begins; what lies behind is void. */
    private long end;
    /** How long the file was when it was begun. */
    private long base;
    /** The file has its name in memory, but perhaps not on the medium. */
    private boolean nameless;

    private Journal(Path folder, LogFile.Opener opener, JournalReader.Content content) {
        this.folder = folder;
        this.file = folder.resolve(NAME);
        this.opener = opener;
        this.entries = content.entries();
        this.batch = content.batch();
        this.end = content.end();
        this.base = content.end();
        this.cut = content.cut();
    }

    /** The folder of the ledger in a state directory. */
    static Path folderIn(Path state) {
        return state.resolve("ledger");
    }

    /** The file of the ledger in a state directory. */
    static Path fileIn(Path state) {
        return folderIn(state).resolve(NAME);
    }

    /**
     * Reads what is there.
     *
     * @param folder need not exist yet
     * @throws LedgerDamaged when it cannot be read, and not because a write was interrupted
     * @throws IOException when another process has it open, or it cannot be read for other reasons. That it cannot be written is no
     *     reason
     */
    public static Journal open(Path folder) throws IOException {
        return open(folder, LogFile.Opener.DISK);
    }

    static Journal open(Path folder, LogFile.Opener opener) throws IOException {
        FileChannel lock = lock(folder);
        try {
            Journal journal = new Journal(folder, opener, JournalReader.read(folder.resolve(NAME)));
            journal.lock = lock;
            return journal;
        } catch (IOException | RuntimeException e) {
            if (lock != null) {
                lock.close();
            }
            throw e;
        }
    }

    /** Null when nothing can be written here, so that nobody else can, either. */
    private static @Nullable FileChannel lock(Path folder) throws IOException {
        FileChannel channel;
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            channel = FileChannel.open(folder.resolve("lock"), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        } catch (IOException e) {
            return null;
        }
        FileLock held = null;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // By ourselves, which is the same.
        }
        if (held == null) {
            channel.close();
            throw new IOException("the ledger in " + folder + " is in use by another process");
        }
        return channel;
    }

    public Path file() {
        return file;
    }

    /** What was cut off when it was opened, for people. */
    public Optional<String> cut() {
        return cut;
    }

    /** Number of the last batch; 0 before the first. */
    public long batch() {
        return batch;
    }

    /** Everything that is on disk, ordered by key. Any thread may ask. */
    public List<Entry> entries() {
        synchronized (entries) {
            return List.copyOf(entries.values());
        }
    }

    /**
     * Writes a batch, all or nothing.
     *
     * @throws IOException when it is not written; nothing has changed, and it may be tried again
     */
    public void write(Collection<LedgerChange> changes) throws IOException {
        try {
            LogFile open = log == null ? open() : log;
            JournalWriter writer = new JournalWriter(open, end);
            writer.batch(batch + 1, changes);
            open.force();
            end = writer.end();
        } catch (IOException e) {
            // Part of it may have been written; with the next batch, the file is cut before.
            closeLog();
            throw e;
        }
        batch++;
        synchronized (entries) {
            changes.forEach(this::apply);
        }
        if (end - base > Math.max(base, SMALLEST_REWRITE)) {
            rewriteWherePossible();
        }
    }

    private void apply(LedgerChange ledgerChange) {
        switch (ledgerChange) {
            case LedgerChange.Put(Entry entry) -> entries.put(entry.key(), entry);
            case LedgerChange.Gone(ObjectKey key) -> entries.remove(key);
        }
    }

    /** Ready to be written at its end. */
    private LogFile open() throws IOException {
        if (lock == null) {
            lock = lock(folder);
        }
        if (end == 0) {
            return rewrite();
        }
        if (nameless) {
            force(folder);
            nameless = false;
        }
        LogFile opened = opener.existing(file);
        log = opened;
        opened.truncate(end);
        return opened;
    }

    /** The log may as well grow on. */
    private void rewriteWherePossible() {
        try {
            closeLog();
            rewrite();
        } catch (IOException e) {
            closeLog();
            base = end;
        }
    }

    /** Puts a file in place of this one that holds what is in force and nothing of how it came. */
    private LogFile rewrite() throws IOException {
        Path fresh = folder.resolve(NAME + ".new");
        LogFile written = opener.empty(fresh);
        try {
            JournalWriter writer = new JournalWriter(written, 0);
            writer.beginning();
            writer.batch(
                    batch,
                    entries.values().stream()
                            .<LedgerChange>map(LedgerChange.Put::new)
                            .toList());
            written.force();
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            nameless = true;
            end = writer.end();
            base = end;
        } catch (IOException e) {
            written.close();
            throw e;
        }
        log = written;
        force(folder);
        nameless = false;
        return written;
    }

    /** A name is on the medium when its folder is. */
    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private void closeLog() {
        try {
            if (log != null) {
                log.close();
            }
        } catch (IOException e) {
            // Whether it could be closed does not matter: what counts was forced.
        }
        log = null;
    }

    @Override
    public void close() {
        closeLog();
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            // Then the end of the process gives it back.
        }
    }
}
