package io.dualstackd.standalone.manifest.io;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a scan whenever a folder changes and has been quiet for a moment, and periodically.
 *
 * <p>The folder itself may be removed, created again, or replaced; it is then watched anew.
 */
final class FolderWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");

    /** The pause after a file that was moved into place, within which a file written in place changes or its write is notified. */
    private static final Duration SETTLED = Duration.ofMillis(3);

    /** The pause before another scan when the last one was incomplete or there is nothing to watch. */
    private static final Duration SOON = Duration.ofMillis(200);

    /** Scans a folder. */
    @FunctionalInterface
    interface Scan {
        /**
         * @param names entries that were created, changed or removed; empty when that is not known and all may have been
         * @return false to be called again soon
         */
        boolean scan(Optional<Set<String>> names);
    }

    /**
     * How long to wait for more changes.
     *
     * @param quiet the pause after a write: programs write in several steps, and a scan between two of them reads half a file
     * @param timeout the maximum delay: a program that never stops writing must not delay changes forever
     */
    record Waits(Duration quiet, Duration timeout) {
        static final Waits USUAL = new Waits(Duration.ofMillis(50), Duration.ofSeconds(1));
    }

    /** Opens what notifies of changed files. */
    @FunctionalInterface
    interface Watchers {
        WatchService open() throws IOException;
    }

    private final Path folder;
    private final Waits waits;
    private final Watchers watchers;
    private final Scan scan;
    private final Duration rescan;
    private final Worker worker;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Null while the system has none to give. */
    private volatile @Nullable WatchService watcher;

    private @Nullable WatchKey key;
    private @Nullable Object watched;
    private boolean settled;
    /** Whether it was logged that the folder is scanned periodically because it cannot be watched. */
    private boolean polling;

    private boolean begun;
    private long lookedAtAll;
    /** The manifests that came to be with their content, by a rename or a link; empty when others have changed. */
    private Optional<Map<Path, FileIdentity>> movedIntoPlace = Optional.empty();
    /** Entries reported since the last scan; empty when notifications were lost. */
    private Optional<Set<String>> changedNames = Optional.empty();

    /**
     * Creates a watch that watches nothing yet.
     *
     * @param rescan how often to scan everything, whatever is reported
     */
    FolderWatch(Path folder, Scan scan, Duration rescan, Supervisor supervisor) {
        this(folder, scan, rescan, Waits.USUAL, folder.getFileSystem()::newWatchService, supervisor);
    }

    FolderWatch(Path folder, Scan scan, Duration rescan, Waits waits, Watchers watchers, Supervisor supervisor) {
        this.folder = folder;
        this.waits = waits;
        this.watchers = watchers;
        this.scan = scan;
        this.rescan = rescan;
        worker = supervisor.worker(Component.MANIFESTS, this::follow);
    }

    /** Scans once on the calling thread, then continues on the thread {@code manifests}. */
    void start() {
        rewatch();
        settled = scan.scan(Optional.empty());
        lookedAtAll = System.nanoTime();
        var _ = worker.start();
    }

    private void follow(Heartbeat heartbeat) throws InterruptedException {
        if (begun) {
            // The scan failed: its notifications are lost, and a key that was not reset would never be signalled again.
            unwatch();
        }
        begun = true;
        try {
            while (true) {
                Duration wait = settled && key != null ? rescan : SOON;
                changedNames = key == null ? Optional.empty() : Optional.of(new HashSet<>());
                WatchKey signalled = signalled(heartbeat, wait);
                if (signalled != null) {
                    waitUntilQuiet(signalled);
                }
                // Watch first, scan second: a change in between is then noticed by both instead of by neither.
                rewatch();
                long now = System.nanoTime();
                if (now - lookedAtAll >= rescan.toNanos()) {
                    changedNames = Optional.empty();
                }
                if (changedNames.isEmpty()) {
                    lookedAtAll = now;
                }
                settled = scanOrSayWhy();
            }
        } catch (ClosedWatchServiceException e) {
            LOG.debug("closed");
        }
    }

    private @Nullable WatchKey signalled(Heartbeat heartbeat, Duration within) throws InterruptedException {
        AtomicReference<@Nullable WatchKey> signalled = new AtomicReference<>();
        boolean ignored = BoundedWait.inParts(heartbeat, within, time -> {
            signalled.set(poll(time));
            return signalled.get() != null;
        });
        return signalled.get();
    }

    /** Scans. A bug in dualstackd must not end the watching: the next scan, which comes in any case, may succeed. */
    private boolean scanOrSayWhy() {
        try {
            return scan.scan(changedNames);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("manifests cannot be read, please report it folder={} next=look-again", folder, e);
            lookedAtAll = System.nanoTime() - rescan.toNanos();
            return true;
        }
    }

    private void waitUntilQuiet(WatchKey first) throws InterruptedException {
        long start = System.nanoTime();
        WatchKey signalled = first;
        movedIntoPlace = Optional.of(new HashMap<>());
        while (signalled != null && System.nanoTime() - start < waits.timeout().toNanos()) {
            drain(signalled);
            if (!signalled.reset()) {
                key = null;
            }
            signalled = movedIntoPlace.isPresent() ? poll(SETTLED) : poll(waits.quiet());
            if (signalled == null
                    && movedIntoPlace.filter(FolderWatch::hasChanged).isPresent()) {
                movedIntoPlace = Optional.empty();
                signalled = poll(waits.quiet());
            }
        }
        if (signalled != null) {
            drain(signalled);
            signalled.reset();
        }
    }

    private void drain(WatchKey signalled) {
        for (WatchEvent<?> event : signalled.pollEvents()) {
            // An overflow has no name.
            if (event.context() instanceof Path entry) {
                changedNames.ifPresent(names -> names.add(entry.toString()));
                note(event.kind(), entry.toString());
            } else {
                changedNames = Optional.empty();
                movedIntoPlace = Optional.empty();
            }
        }
    }

    /** Temporary files of programs that write elsewhere first do not count. */
    private void note(WatchEvent.Kind<?> kind, String name) {
        if (!FileIndex.isManifest(name) && !name.startsWith("..")) {
            return;
        }
        Path file = folder.resolve(name);
        Optional<FileIdentity> content =
                kind.equals(StandardWatchEventKinds.ENTRY_CREATE) ? content(file) : Optional.empty();
        if (content.isEmpty()) {
            movedIntoPlace = Optional.empty();
        }
        movedIntoPlace.ifPresent(files -> content.ifPresent(identity -> files.put(file, identity)));
    }

    /** Empty for an empty file: one that is being written in place begins so. */
    private static Optional<FileIdentity> content(Path file) {
        try {
            return Optional.of(FileIdentity.of(file)).filter(identity -> identity.size() > 0);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean hasChanged(Map<Path, FileIdentity> files) {
        return files.entrySet().stream()
                .anyMatch(file -> !content(file.getKey()).equals(Optional.of(file.getValue())));
    }

    private @Nullable WatchKey poll(Duration within) throws InterruptedException {
        WatchService from = watcher;
        if (from != null) {
            return from.poll(within.toNanos(), TimeUnit.NANOSECONDS);
        }
        if (closed.await(within.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new ClosedWatchServiceException();
        }
        return null;
    }

    /**
     * The system has few of them: 128 for all processes of a user, unless {@code fs.inotify.max_user_instances} says otherwise.
     *
     * @return null when it has none; another call may succeed
     */
    private synchronized @Nullable WatchService watcher() {
        if (closed.getCount() == 0) {
            throw new ClosedWatchServiceException();
        }
        try {
            if (watcher == null) {
                watcher = watchers.open();
            }
        } catch (IOException e) {
            if (!polling) {
                polling = true;
                LOG.warn(
                        "folder cannot be watched, raise fs.inotify.max_user_instances folder={} reason=\"{}\" next=poll",
                        folder,
                        e.getMessage());
            }
        }
        return watcher;
    }

    /** Makes sure that the folder which has this name now is the one being watched. */
    private void rewatch() {
        try {
            Object now = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
            if (key != null && key.isValid() && Objects.equals(now, watched)) {
                return;
            }
            unwatch();
            changedNames = Optional.empty();
            WatchService to = watcher();
            if (to == null) {
                return;
            }
            key = folder.register(
                    to,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_DELETE,
                    StandardWatchEventKinds.ENTRY_MODIFY);
            watched = now;
            polling = false;
        } catch (IOException e) {
            // The scan meets the same error if the folder is gone, and reports it; until then, polling replaces
            // watching.
            changedNames = Optional.empty();
            unwatch();
            if (!polling && Files.isDirectory(folder)) {
                polling = true;
                LOG.warn("folder cannot be watched folder={} reason=\"{}\" next=poll", folder, e.getMessage());
            }
        }
    }

    private void unwatch() {
        if (key != null) {
            key.cancel();
        }
        key = null;
    }

    @Override
    public void close() {
        worker.stop();
        try {
            closeWatcher();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        worker.join();
    }

    private synchronized void closeWatcher() throws IOException {
        closed.countDown();
        if (watcher != null) {
            watcher.close();
        }
    }
}
