package io.dualstackd.standalone.ledger.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerChange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps entries in one file. A batch of changes is in it completely or not at all, and when {@link #write} has returned, it is on the
 * medium.
 *
 * <p>The file is a log: first everything that was present when it was created, then batch after batch. Each record has a checksum, and a
 * batch is valid only with the record that ends it. When the file has doubled in size, it is rewritten under another name and renamed. Data
 * after the last complete batch was being written when the machine or the process died; it is cut off. Any other unreadable data is an
 * error.
 *
 * <p>Used by one thread, except {@link #entries}.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("ledger");
    private static final String NAME = "ledger.log";
    private static final int SMALLEST_REWRITE = 1024 * 1024;

    private final Path folder;
    private final Path file;
    private final LogFile.Opener opener;
    private final SortedMap<ObjectKey, Entry> entries;
    private final Optional<String> cut;
    private @Nullable LogFile log;
    private @Nullable FileChannel lock;
    /** The file that was read or written last, by device and inode; null before there is one. */
    private @Nullable Object identity;

    private long batch;
    /** Where the next batch begins; data after it is void. */
    private long end;
    /** The size of the file without the history of its entries, when it was created or opened. */
    private long base;
    /** Whether the rename of the file may not be on the medium yet. */
    private boolean nameless;

    private volatile boolean closed;

    private Journal(Path folder, LogFile.Opener opener, JournalReader.Content content) {
        this.folder = folder;
        this.file = folder.resolve(NAME);
        this.opener = opener;
        this.entries = content.entries();
        this.batch = content.batch();
        this.end = content.end();
        this.base = content.present();
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
     * Reads the file.
     *
     * @param folder need not exist yet
     * @throws LedgerDamaged when it cannot be read, and not because a write was interrupted
     * @throws IOException when another process has it open, or it cannot be read for other reasons. A file that cannot be written is not an
     *     error here
     */
    public static Journal open(Path folder) throws IOException {
        return open(folder, LogFile.Opener.DISK);
    }

    static Journal open(Path folder, LogFile.Opener opener) throws IOException {
        FileChannel lock = lock(folder);
        try {
            Journal journal = new Journal(folder, opener, JournalReader.read(folder.resolve(NAME)));
            journal.lock = lock;
            journal.identity = identity(journal.file);
            return journal;
        } catch (IOException | RuntimeException e) {
            if (lock != null) {
                lock.close();
            }
            throw e;
        }
    }

    /** Locks the folder. Null when it is not writable, as then no other process can write to it either. */
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
            // Locked by this process, which is treated the same way.
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

    /** A message about the part that was cut off when the file was opened, for people. */
    public Optional<String> cut() {
        return cut;
    }

    /** Number of the last batch; 0 before the first. */
    public long batch() {
        return batch;
    }

    /** Everything that is on disk, ordered by key. May be called from any thread. */
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
            requirePlace();
            LogFile open = log == null ? open() : log;
            JournalWriter writer = new JournalWriter(open, end);
            writer.batch(batch + 1, changes);
            open.force();
            end = writer.end();
        } catch (IOException e) {
            // Part of it may have been written; the next batch truncates the file first.
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

    /**
     * Makes sure that what is written is found by the next start: what is written to a file that another program has removed is gone when
     * the process ends.
     *
     * @throws IOException when another file is in its place: it may be a restored backup, and is not touched
     */
    private void requirePlace() throws IOException {
        Object present = identity(file);
        // A file that was made after the other one was closed may have its inode.
        if (identity == null || (identity.equals(present) && Files.size(file) >= end)) {
            return;
        }
        if (present != null) {
            throw new IOException(
                    "another program has replaced the file since it was read; the next start will read it");
        }
        LOG.warn("the ledger was removed by another program file={} next=write-it-anew", file);
        closeLog();
        // The lock may have been removed with its folder, and then keeps no other process off.
        closeLock();
        end = 0;
        identity = null;
    }

    private static @Nullable Object identity(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void apply(LedgerChange ledgerChange) {
        switch (ledgerChange) {
            case LedgerChange.Put(Entry entry) -> entries.put(entry.key(), entry);
            case LedgerChange.Gone(ObjectKey key) -> entries.remove(key);
        }
    }

    /** Opens the file for appending. */
    private LogFile open() throws IOException {
        if (closed) {
            throw new IOException("the ledger is closed, the daemon ends or starts again; try again");
        }
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

    /** Rewrites the file if possible; otherwise the log continues to grow. */
    private void rewriteWherePossible() {
        try {
            closeLog();
            rewrite();
        } catch (IOException e) {
            closeLog();
            base = end;
        }
    }

    /** Replaces the file by one that holds only the present entries, without their history. */
    private LogFile rewrite() throws IOException {
        Path temporary = folder.resolve(NAME + ".new");
        LogFile written = opener.empty(temporary);
        try {
            JournalWriter writer = new JournalWriter(written, 0);
            writer.beginning();
            writer.batch(
                    batch,
                    entries.values().stream()
                            .<LedgerChange>map(LedgerChange.Put::new)
                            .toList());
            written.force();
            Object fresh = identity(temporary);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            identity = fresh;
            nameless = true;
            end = writer.end();
            base = end;
        } catch (IOException e) {
            written.close();
            // On a full disk it takes the space that the next batch needs.
            boolean ignored = Files.deleteIfExists(temporary);
            throw e;
        }
        log = written;
        force(folder);
        nameless = false;
        return written;
    }

    /** Forces a folder: a new name is on the medium only when its folder is. */
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
            // A failure to close does not matter: everything that counts was forced.
        }
        log = null;
    }

    @Override
    public void close() {
        // A request that was under way must not take the lock again.
        closed = true;
        closeLog();
        closeLock();
    }

    private void closeLock() {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            // Then it is released when the process ends.
        }
        lock = null;
    }
}
