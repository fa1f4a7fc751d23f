package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.agent.cli.Launch;
import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kernel")
final class ReloadingTest {
    @TempDir
    private Path folder;

    private final AtomicInteger checks = new AtomicInteger();
    private final BlockingQueue<String> zones = new LinkedBlockingQueue<>();

    private Launch launch(Path file) throws IOException {
        Launch.Reading reading = () -> ConfigReader.read(new ConfigReader.Input(
                Optional.empty(), Optional.of(new ConfigReader.Source("own.yaml", Files.readString(file))), Map.of()));
        return new Launch((ConfigResult.Usable) reading.again(), List.of(file), reading);
    }

    private Reloading start(Path file) throws IOException {
        return start(launch(file));
    }

    private Reloading start(Launch launch) {
        return start(launch, Reloading.emptyFiles(launch));
    }

    private Reloading start(Launch launch, Set<Path> emptyAtStart) {
        return Reloading.start(
                launch,
                emptyAtStart,
                next -> {
                    String zone = next.config().node().zone().orElse("");
                    zones.add(zone);
                    if (zone.equals("bad")) {
                        throw new IOException("the host does not like it");
                    }
                    if (zone.equals("bug")) {
                        throw new IllegalStateException("behind the first part");
                    }
                },
                checks::incrementAndGet,
                Supervisor.none());
    }

    /** In place and at once, by a text that is no shorter. */
    private static void overwrite(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    /** A program that saves a file empties it first, and all of its settings would be the defaults until it goes on. */
    @Test
    void anEmptyFileChangesNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: one\n");
        try (Reloading reloading = start(file)) {
            Files.writeString(file, "# nothing yet\n");
            assertThat(reloadAfter(reloading, "is empty"))
                    .satisfies(last -> assertThat(last.good()).isFalse())
                    .satisfies(last -> assertThat(last.what())
                            .isEqualTo("refused, the old one stays in force: " + file + " is empty"));
            assertThat(zones).isEmpty();
            Files.writeString(file, "zone: two\n");
            assertThat(zone()).isEqualTo("two");
        }
    }

    /** The daemon starts again in the same process with what is in force, when the host has another IP family. */
    @Test
    void aFileThatWasEmptiedBeforeTheDaemonStartedAgainChangesNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: one\n");
        Launch launch = launch(file);
        Set<Path> emptyAtStart = Reloading.emptyFiles(launch);
        Files.writeString(file, "");
        try (Reloading reloading = start(launch, emptyAtStart)) {
            assertThat(reloadAfter(reloading, "is empty").good()).isFalse();
            assertThat(zones).isEmpty();
        }
    }

    private String zone() throws InterruptedException {
        return String.valueOf(zones.poll(1, TimeUnit.MINUTES));
    }

    private static StatusReport.Reload reloadAfter(Reloading reloading, String what) {
        return Awaitility.await()
                .until(
                        () -> reloading.last().orElse(null),
                        last -> last != null && last.what().contains(what));
    }

    @Test
    void aFileThatChangesIsReadAgain() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        try (Reloading reloading = start(file)) {
            overwrite(file, "zone: b\nstateDir: /elsewhere\n");
            assertThat(zone()).isEqualTo("b");
            assertThat(reloadAfter(reloading, "applied dualstackd.zone").restart())
                    .containsExactly("dualstackd.stateDir");
            Files.writeString(folder.resolve("new"), "zome: c\n");
            Files.move(folder.resolve("new"), file, StandardCopyOption.ATOMIC_MOVE);
            StatusReport.Reload refused = reloadAfter(reloading, "own.yaml:1: zome");
            assertThat(refused.good()).isFalse();
            assertThat(refused.what()).contains("the old one stays in force", "did you mean zone?");
            overwrite(file, "zone: bad\n");
            assertThat(zone()).isEqualTo("bad");
            assertThat(reloadAfter(reloading, "the host does not like it").good())
                    .isFalse();
            Files.delete(file);
            assertThat(reloadAfter(reloading, "refused").good()).isFalse();
            assertThat(zones).isEmpty();
        }
    }

    /** A start takes a while: it may wait for another daemon to end. */
    @Test
    void aFileThatChangedDuringTheStartIsReadAgain() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        Launch launch = launch(file);
        overwrite(file, "zone: b\n");
        try (Reloading ignored = start(launch)) {
            assertThat(zone()).isEqualTo("b");
        }
    }

    /** Another file of the folder may change without a pause, a log for one. */
    @Test
    void aFileThatChangesInAFolderThatIsNeverQuietIsReadAgain() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        Path log = folder.resolve("log");
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger lines = new AtomicInteger();
        Runnable writes = () -> {
            while (!over.get()) {
                try {
                    Files.writeString(log, "line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                lines.incrementAndGet();
                LockSupport.parkNanos(10_000_000);
            }
        };
        List<Thread> writers = Stream.generate(() -> Thread.ofPlatform().start(writes))
                .limit(4)
                .toList();
        try (Reloading ignored = start(file)) {
            overwrite(file, "zone: b\n");
            assertThat(zone()).isEqualTo("b");
            int before = lines.get();
            overwrite(file, "zone: c\n");
            assertThat(zone()).isEqualTo("c");
            assertThat(lines.get() - before)
                    .as("lines until then, at most 400 a second")
                    .isLessThan(4000);
        } finally {
            over.set(true);
            for (Thread writer : writers) {
                writer.join();
            }
        }
    }

    /** The system has only so many notifiers for all programs of a user. */
    @Test
    void aFileThatCannotBeWatchedIsCheckedPeriodically() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        Supervisor supervisor =
                new Supervisor(FatalAction.ofThread(), component -> Duration.ofMillis(300), System::nanoTime);
        try (Reloading ignored = Reloading.start(
                launch(file),
                Set.of(),
                next -> zones.add(next.config().node().zone().orElse("")),
                checks::incrementAndGet,
                () -> {
                    throw new IOException("User limit of inotify instances reached or too many open files");
                },
                supervisor)) {
            overwrite(file, "zone: b\n");
            assertThat(zone()).isEqualTo("b");
            overwrite(file, "zone: c\n");
            assertThat(zone()).isEqualTo("c");
            int before = checks.get();
            Awaitility.await().untilAsserted(() -> assertThat(checks).hasValueGreaterThan(before + 2));
        }
        Awaitility.await().until(() -> supervisor.states().isEmpty());
    }

    @Test
    void aKeyThatHasItsOldValueAgainNeedsNoRestart() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        try (Reloading reloading = start(file)) {
            overwrite(file, "zone: a\nstateDir: /elsewhere\n");
            assertThat(reloadAfter(reloading, "nothing applied").restart()).containsExactly("dualstackd.stateDir");

            Files.writeString(folder.resolve("new"), "zone: a\n");
            Files.move(folder.resolve("new"), file, StandardCopyOption.ATOMIC_MOVE);
            assertThat(reloadAfter(reloading, "nothing changed").restart()).isEmpty();
        }
    }

    @Test
    void whatCouldNotBeAppliedIsTriedAgain() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        try (Reloading reloading = start(file)) {
            overwrite(file, "zone: bad\n");
            assertThat(reloadAfter(reloading, "the host does not like it").good())
                    .isFalse();
            assertThat(zone()).isEqualTo("bad");

            reloading.onRequest();
            assertThat(zone()).isEqualTo("bad");
            assertThat(reloading.last().orElseThrow())
                    .matches(last -> !last.good())
                    .matches(last -> last.what().equals("nothing changed, but: the host does not like it"));

            overwrite(file, "zone: c\n# mended\n");
            assertThat(zone()).isEqualTo("c");
            assertThat(reloadAfter(reloading, "applied dualstackd.zone").good()).isTrue();
            reloading.onRequest();
            assertThat(zones).as("it is in force").isEmpty();
        }
    }

    /** The old configuration is not in force any more, at least not all of it. */
    @Test
    void aBugWhileItIsAppliedIsNoRefusal() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        try (Reloading reloading = start(file)) {
            overwrite(file, "zone: bug\nstateDir: /elsewhere\n");
            StatusReport.Reload last = reloadAfter(reloading, "behind the first part");
            assertThat(last.good()).isFalse();
            assertThat(last.what()).startsWith("applied dualstackd.zone, but: a bug in dualstackd, please report it: ");
            assertThat(last.restart()).containsExactly("dualstackd.stateDir");
        }
    }

    /** A ConfigMap is a link to a link to a folder, and the middle one is replaced. */
    @Test
    void aConfigMapThatChangesIsReadAgain() throws Exception {
        for (String version : List.of("1", "2")) {
            Files.createDirectory(folder.resolve("..v" + version));
            Files.writeString(folder.resolve("..v" + version + "/own.yaml"), "zone: z" + version);
        }
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..v1"));
        Path file = Files.createSymbolicLink(folder.resolve("own.yaml"), Path.of("..data/own.yaml"));
        try (Reloading ignored = start(file)) {
            Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..v2"));
            Files.move(folder.resolve("..data_tmp"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
            assertThat(zone()).isEqualTo("z2");
        }
    }

    /** What it changes is closed next. */
    @Test
    void closingWaitsForAChangeAndNoneFollows() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean applied = new AtomicBoolean();
        Reloading reloading = Reloading.start(
                launch(file),
                Set.of(),
                next -> {
                    zones.add(next.config().node().zone().orElse(""));
                    try {
                        applied.set(release.await(1, TimeUnit.MINUTES));
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                },
                checks::incrementAndGet,
                Supervisor.none());
        overwrite(file, "zone: b\n");
        assertThat(zone()).isEqualTo("b");
        AtomicBoolean appliedBefore = new AtomicBoolean();
        Thread closing = Thread.ofPlatform().start(() -> {
            reloading.close();
            appliedBefore.set(applied.get());
        });
        Awaitility.await()
                .until(() -> closing.getState() != Thread.State.NEW && closing.getState() != Thread.State.RUNNABLE);
        release.countDown();
        closing.join();
        assertThat(appliedBefore).isTrue();
        overwrite(file, "zone: c\n");
        reloading.onRequest();
        assertThat(zones).isEmpty();
    }

    @Test
    void askedForByASignal() throws Exception {
        Path file = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        CountDownLatch notified = new CountDownLatch(1);
        try (Reloading reloading = start(file)) {
            SighupHandler.call(() -> {
                reloading.onRequest();
                notified.countDown();
            });
            new ProcessBuilder(
                            "kill",
                            "-HUP",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
            assertThat(notified.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(reloading.last().orElseThrow().what()).isEqualTo("nothing changed");
        } finally {
            SighupHandler.call(() -> {});
        }
    }
}
