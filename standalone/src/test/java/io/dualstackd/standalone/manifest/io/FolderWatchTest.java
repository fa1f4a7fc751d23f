package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.standalone.manifest.io.FolderWatch.Waits;
import io.dualstackd.standalone.manifest.io.FolderWatch.Watchers;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a folder is scanned after a change. */
final class FolderWatchTest {
    /** Longer than any test waits. */
    private static final Duration NEVER = Duration.ofHours(1);

    private static final Waits LONG = new Waits(NEVER, NEVER);
    private static final Waits MODERATE = new Waits(Duration.ofMillis(1500), Duration.ofMillis(1500));

    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

    private final BlockingQueue<Optional<Set<String>>> scans = new LinkedBlockingQueue<>();

    private FolderWatch watch(Waits waits) {
        return watch(waits, folder.getFileSystem()::newWatchService);
    }

    private FolderWatch watch(Waits waits, Watchers watchers) {
        FolderWatch watch = new FolderWatch(
                folder,
                names -> {
                    scans.add(names);
                    return true;
                },
                NEVER,
                waits,
                watchers,
                Supervisor.none());
        watch.start();
        assertThat(scans.poll()).isEmpty();
        return watch;
    }

    private Optional<Set<String>> scanned() throws InterruptedException {
        Optional<Set<String>> names = scans.poll(1, TimeUnit.MINUTES);
        assertThat(names).isNotNull();
        return names;
    }

    @Test
    void aFileThatIsMovedIntoPlaceIsScannedAtOnce() throws Exception {
        Path manifest = Files.writeString(folder.resolve("a.yaml"), "old");
        try (FolderWatch ignored = watch(LONG)) {
            Path written = Files.writeString(elsewhere.resolve("new"), "new");
            Files.move(written, manifest, StandardCopyOption.ATOMIC_MOVE);
            assertThat(scanned()).contains(Set.of("a.yaml"));
        }
    }

    @Test
    void aTemporaryFileBesideItDelaysNothing() throws Exception {
        try (FolderWatch ignored = watch(LONG)) {
            Path written = Files.writeString(folder.resolve(".a.yaml.tmp"), "new");
            Files.move(written, folder.resolve("a.yaml"), StandardCopyOption.ATOMIC_MOVE);
            Set<String> names = new HashSet<>();
            while (!names.contains("a.yaml")) {
                names.addAll(scanned().orElseThrow());
            }
        }
    }

    @Test
    void aFileThatIsWrittenInPlaceIsScannedAfterAPause() throws Exception {
        try (FolderWatch ignored = watch(MODERATE)) {
            long start = System.nanoTime();
            Path manifest = folder.resolve("a.yaml");
            Files.writeString(manifest, "half");
            Files.writeString(manifest, "whole", StandardOpenOption.APPEND);
            assertThat(scanned()).contains(Set.of("a.yaml"));
            assertThat(System.nanoTime() - start)
                    .isGreaterThanOrEqualTo(MODERATE.quiet().toNanos());
        }
    }

    @Test
    void aFileThatIsRemovedMayComeBackWithinThePause() throws Exception {
        Path manifest = Files.writeString(folder.resolve("a.yaml"), "old");
        try (FolderWatch ignored = watch(MODERATE)) {
            long start = System.nanoTime();
            Path backup = elsewhere.resolve("backup");
            Files.move(manifest, backup, StandardCopyOption.ATOMIC_MOVE);
            Files.move(backup, manifest, StandardCopyOption.ATOMIC_MOVE);
            assertThat(scanned()).contains(Set.of("a.yaml"));
            assertThat(System.nanoTime() - start)
                    .isGreaterThanOrEqualTo(MODERATE.quiet().toNanos());
        }
    }

    /** Each process of the user may have taken one of the few that there are. */
    @Test
    void aFolderIsScannedOftenUntilTheSystemHasAWatcherToGive() throws Exception {
        AtomicBoolean none = new AtomicBoolean(true);
        Watchers watchers = () -> {
            if (none.get()) {
                throw new IOException("User limit of inotify instances reached or too many open files");
            }
            return folder.getFileSystem().newWatchService();
        };
        try (FolderWatch ignored = watch(MODERATE, watchers)) {
            assertThat(scanned()).isEmpty();
            assertThat(scanned()).isEmpty();
            none.set(false);
            await().until(() -> {
                Files.move(
                        Files.writeString(elsewhere.resolve("new"), "new"),
                        folder.resolve("a.yaml"),
                        StandardCopyOption.ATOMIC_MOVE);
                return scanned().isPresent();
            });
        }
    }

    @Test
    void aFolderWithoutAWatcherIsNotScannedAfterTheEnd() throws Exception {
        FolderWatch watch = watch(MODERATE, () -> {
            throw new IOException("too many open files");
        });
        watch.close();
        scans.clear();
        assertThat(scans.poll(500, TimeUnit.MILLISECONDS)).isNull();
    }
}
