package io.dualstackd.standalone.manifest.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
final class ManifestFolderTest {
    /** So long that only a watch, never the safety net, can make a test pass. */
    private static final Duration NEVER = Duration.ofHours(1);

    @TempDir
    private Path tmp;

    private final Store store = new Store();

    private static String service(String name, String ip) {
        return "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {clusterIP: " + ip
                + ", ports: [{port: 80}]}\n";
    }

    private String ipOf(String name) {
        return store.service(new ServiceKey("default", name))
                .service()
                .map(s -> s.clusterIps().getFirst().toString())
                .orElse("gone");
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(assertion);
    }

    private ManifestFolder withCopies(Path folder, Path state) throws IOException {
        return withCopies(folder, state, store);
    }

    private static ManifestFolder withCopies(Path folder, Path state, Store store) throws IOException {
        return ManifestFolder.watched(
                folder,
                store,
                Optional.of(state),
                NEVER,
                ManifestFolder.Progress.UNWATCHED,
                Dialect.STORED,
                AdmissionStage.NONE,
                Supervisor.none());
    }

    private void watched(Path folder, Duration rescan, ThrowingConsumer<ManifestFolder> test) throws IOException {
        try (ManifestFolder manifests = ManifestFolder.watched(
                folder,
                store,
                Optional.empty(),
                rescan,
                ManifestFolder.Progress.UNWATCHED,
                Dialect.STORED,
                AdmissionStage.NONE,
                Supervisor.none())) {
            test.accept(manifests);
        }
    }

    /** Throws when it gets the next change. */
    private static final class FailingOnce implements AdmissionStage {
        private final AtomicBoolean fails = new AtomicBoolean();
        private final AtomicBoolean ready = new AtomicBoolean(true);

        @Override
        public boolean isReady() {
            return ready.get();
        }

        @Override
        public List<Update> admit(List<Update> updates) {
            if (!updates.isEmpty() && fails.getAndSet(false)) {
                throw new IllegalStateException("once");
            }
            return updates;
        }

        @Override
        public List<Update> retain(Predicate<ObjectKey> claimed) {
            return List.of();
        }

        @Override
        public List<Problem> dryRun(List<Update> updates, Function<ObjectKey, Optional<LocatedObject>> places) {
            return List.of();
        }

        @Override
        public List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places) {
            return List.of();
        }
    }

    private static List<String> problems(ManifestFolder manifests) {
        return manifests.problems().stream().map(Problem::toString).toList();
    }

    @Test
    void existingFilesAreReadFirst() throws IOException {
        Files.writeString(tmp.resolve("b.yml"), service("b", "10.0.0.2"));
        Files.writeString(tmp.resolve("a.yaml"), service("a", "10.0.0.1"));
        Files.writeString(
                tmp.resolve("c.json"),
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"c\"},"
                        + "\"spec\":{\"clusterIP\":\"10.0.0.3\",\"ports\":[{\"port\":80}]}}");
        Files.writeString(tmp.resolve("d.txt"), service("d", "10.0.0.4"));
        Files.writeString(tmp.resolve(".e.yaml"), service("e", "10.0.0.5"));
        Files.createDirectory(tmp.resolve("f.yaml"));
        ManifestFolder manifests = ManifestFolder.unwatched(tmp, store);
        assertThat(store.isSynced()).isTrue();
        assertThat(store.size()).isEqualTo(new Store.Size(3, 0, 0));
        assertThat(manifests.problems()).isEmpty();
    }

    @Test
    void theStoreIsNotSyncedBeforeTheAdmissionStageIsReady() throws IOException {
        Files.writeString(tmp.resolve("a.yaml"), service("a", "10.0.0.1"));
        FailingOnce stage = new FailingOnce();
        stage.ready.set(false);
        try (ManifestFolder manifests = ManifestFolder.watched(
                tmp,
                store,
                Optional.empty(),
                Duration.ofMillis(20),
                ManifestFolder.Progress.UNWATCHED,
                Dialect.STORED,
                stage,
                Supervisor.none())) {
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.1"));
            var _ = manifests.scan(Optional.empty());
            assertThat(store.isSynced()).isFalse();
            stage.ready.set(true);
            eventually(() -> assertThat(store.isSynced()).isTrue());
        }
    }

    /** What an unexpected exception kept out comes into force with the next scan, although no file changes any more. */
    @Test
    void aFailedScanLosesNothing() throws IOException {
        Files.writeString(tmp.resolve("a.yaml"), service("a", "10.0.0.1"));
        FailingOnce stage = new FailingOnce();
        try (ManifestFolder manifests = ManifestFolder.watched(
                tmp,
                store,
                Optional.empty(),
                Duration.ofMillis(200),
                ManifestFolder.Progress.UNWATCHED,
                Dialect.STORED,
                stage,
                Supervisor.none())) {
            eventually(() -> assertThat(manifests.settled()).isTrue());
            stage.fails.set(true);
            Files.writeString(tmp.resolve("a.yaml"), service("a", "10.0.0.10"));
            eventually(() -> assertThat(stage.fails).isFalse());
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.10"));
        }
    }

    /** It is tried again with each scan, until another version of it takes its place. */
    @Test
    void anObjectThatTheStoreCannotTakeKeepsOutNoOther() throws IOException {
        AtomicReference<String> bad = new AtomicReference<>("10.0.0.2");
        Store some = new Store(
                new StoreOverlay() {
                    @Override
                    public List<Update> derived(List<Update> updates) {
                        if (updates.toString().contains(bad.get())) {
                            throw new IllegalStateException("made up");
                        }
                        return List.of();
                    }
                },
                Optional.empty());
        Supplier<List<String>> inForce = () -> some.services().stream()
                .flatMap(state -> state.service().stream())
                .map(service -> service.clusterIps().getFirst().toString())
                .sorted()
                .toList();
        Files.writeString(tmp.resolve("a.yaml"), service("a", "10.0.0.1"));
        Files.writeString(tmp.resolve("b.yaml"), service("b", "10.0.0.2"));
        Files.writeString(tmp.resolve("c.yaml"), service("c", "10.0.0.3"));
        ManifestFolder manifests = ManifestFolder.unwatched(tmp, some);
        assertThat(inForce.get()).containsExactly("10.0.0.1", "10.0.0.3");
        assertThat(some.isSynced()).isTrue();
        assertThat(manifests.problems())
                .singleElement()
                .asString()
                .contains("b.yaml", "/b", "cannot be put in force because of a bug, please report it");

        Files.writeString(tmp.resolve("b.yaml"), service("b", "10.0.0.22"));
        Files.writeString(tmp.resolve("c.yaml"), service("c", "10.0.0.33"));
        var _ = manifests.scan(Optional.empty());
        assertThat(inForce.get()).containsExactly("10.0.0.1", "10.0.0.33");
        bad.set("none");
        var _ = manifests.scan(Optional.empty());
        assertThat(inForce.get()).containsExactly("10.0.0.1", "10.0.0.22", "10.0.0.33");
        assertThat(manifests.problems()).isEmpty();
    }

    /** Of two files that change together, both are known when the scan fails after the second one. */
    @Test
    void aScanThatFailsHalfwayLosesNothing() throws IOException {
        for (int version = 1; version <= 2; version++) {
            Path data = Files.createDirectory(tmp.resolve("..v" + version));
            Files.writeString(data.resolve("a.yaml"), service("a", "10.0." + version + ".1"));
            Files.writeString(data.resolve("b.yaml"), service("b", "10.0." + version + ".2"));
        }
        Files.createSymbolicLink(tmp.resolve("..data"), Path.of("..v1"));
        Files.createSymbolicLink(tmp.resolve("a.yaml"), Path.of("..data/a.yaml"));
        Files.createSymbolicLink(tmp.resolve("b.yaml"), Path.of("..data/b.yaml"));
        AtomicInteger left = new AtomicInteger();
        ManifestFolder.Progress failing = new ManifestFolder.Progress() {
            @Override
            public void fileRead() {
                if (left.decrementAndGet() == 0) {
                    throw new IllegalStateException("made up");
                }
            }

            @Override
            public void allRead() {}
        };
        try (ManifestFolder manifests = ManifestFolder.watched(
                tmp,
                store,
                Optional.empty(),
                Duration.ofMillis(200),
                failing,
                Dialect.STORED,
                AdmissionStage.NONE,
                Supervisor.none())) {
            eventually(() -> assertThat(manifests.settled()).isTrue());
            left.set(2);
            Files.createSymbolicLink(tmp.resolve("..data_tmp"), Path.of("..v2"));
            Files.move(tmp.resolve("..data_tmp"), tmp.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
            eventually(() -> assertThat(left.get()).isNotPositive());
            eventually(() -> assertThat(ipOf("a") + " " + ipOf("b")).isEqualTo("10.0.2.1 10.0.2.2"));
        }
    }

    @Test
    void readsOnlyFilesNamedByEvents() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("folder"));
        Path outside = Files.writeString(tmp.resolve("b"), service("b", "10.0.0.2"));
        Files.createLink(folder.resolve("b.yaml"), outside);
        Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.1"));
        watched(folder, NEVER, manifests -> {
            // Both are too young for their times to tell changes; they are looked at until they are not.
            eventually(() -> assertThat(manifests.settled()).isTrue());
            // The watch does not see this: it happens in another folder.
            Files.writeString(outside, service("b", "10.0.0.20"));
            Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.10"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.10"));
            assertThat(ipOf("b")).isEqualTo("10.0.0.2");
            // Where this leads, others may lie.
            Files.createSymbolicLink(folder.resolve("..data"), tmp);
            eventually(() -> assertThat(ipOf("b")).isEqualTo("10.0.0.20"));
        });
    }

    @Test
    void filesComeChangeAndGo() throws IOException {
        watched(tmp, NEVER, manifests -> {
            assertThat(store.isSynced()).isTrue();
            Path file = tmp.resolve("a.yaml");
            Files.writeString(file, service("a", "10.0.0.1"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.1"));
            Files.writeString(file, service("a", "10.0.0.2"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.2"));
            Files.writeString(tmp.resolve("tmp"), service("a", "10.0.0.3"));
            Files.move(tmp.resolve("tmp"), file, StandardCopyOption.ATOMIC_MOVE);
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.3"));
            Files.move(file, tmp.resolve("b.yaml"));
            Files.writeString(tmp.resolve("c.yaml"), service("c", "10.0.0.9"));
            eventually(() -> assertThat(ipOf("c")).isEqualTo("10.0.0.9"));
            assertThat(ipOf("a")).isEqualTo("10.0.0.3");
            Files.delete(tmp.resolve("b.yaml"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("gone"));
        });
    }

    @Test
    void aBrokenFileKeepsItsLastGoodVersionUntilItIsMended() throws IOException {
        Path file = tmp.resolve("a.yaml");
        Files.writeString(file, service("a", "10.0.0.1"));
        watched(tmp, NEVER, manifests -> {
            Files.writeString(file, "kind: [\n");
            // For a moment the file is empty, which is wrong in another way.
            eventually(() -> assertThat(problems(manifests))
                    .singleElement()
                    .asString()
                    .startsWith("a.yaml:2 (document 1): not YAML: "));
            assertThat(ipOf("a")).isEqualTo("10.0.0.1");
            Files.writeString(file, service("a", "10.0.0.256"));
            eventually(() -> assertThat(problems(manifests).getFirst()).contains("spec.clusterIP"));
            assertThat(ipOf("a")).isEqualTo("10.0.0.1");
            Files.writeString(file, service("a", "10.0.0.7"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.7"));
            eventually(() -> assertThat(manifests.problems()).isEmpty());
        });
    }

    @Test
    void aMistypedKindKeepsTheObject() throws IOException {
        Path file = tmp.resolve("web.yaml");
        Files.writeString(file, service("web", "10.0.0.1") + service("db", "10.0.0.2"));
        watched(tmp, NEVER, manifests -> {
            eventually(() -> assertThat(ipOf("web")).isEqualTo("10.0.0.1"));
            Files.writeString(
                    file,
                    service("web", "10.0.0.9").replace("Service", "Servcie")
                            + service("db", "10.0.0.3")
                            + service("other", "10.0.0.4"));
            eventually(() -> assertThat(ipOf("other")).isEqualTo("10.0.0.4"));
            assertThat(ipOf("web")).isEqualTo("10.0.0.1");
            assertThat(ipOf("db")).isEqualTo("10.0.0.3");
            assertThat(problems(manifests))
                    .singleElement()
                    .asString()
                    .contains("web.yaml:2 (document 1): \"v1 Servcie\": ", "did you mean v1 Service?");
            Files.writeString(file, service("db", "10.0.0.3"));
            eventually(() -> assertThat(ipOf("web")).isEqualTo("gone"));
        });
    }

    @Test
    void anEmptiedFileIsAHalfWrittenOne() throws IOException {
        Path file = tmp.resolve("a.yaml");
        Files.writeString(file, service("a", "10.0.0.1"));
        watched(tmp, NEVER, manifests -> {
            Files.writeString(file, "");
            eventually(() -> assertThat(problems(manifests))
                    .containsExactly("a.yaml: the file is empty; delete it if its objects are to be removed"));
            assertThat(ipOf("a")).isEqualTo("10.0.0.1");
            Files.writeString(file, service("a", "10.0.0.2"), StandardOpenOption.APPEND);
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.2"));
        });
    }

    /** Several, as the moment may be over before a file is read. */
    @Test
    void aFileThatWasEmptiedAMomentAgoIsStillBeingWritten() throws IOException {
        List<ManifestFile.Reading> readings = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Path file = Files.createFile(tmp.resolve(i + ".yaml"));
            readings.add(new ManifestFile(file, Dialect.STORED).read());
        }
        assertThat(readings).hasAtLeastOneElementOfType(ManifestFile.Reading.Moving.class);
    }

    @Test
    void aConfigMapVolumeSwapsAllFilesAtOnce() throws IOException {
        Path first = Files.createDirectory(tmp.resolve("..1"));
        Files.writeString(first.resolve("a.yaml"), service("a", "10.0.0.1"));
        Files.writeString(first.resolve("b.yaml"), service("b", "10.0.0.1"));
        Files.createSymbolicLink(tmp.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(tmp.resolve("a.yaml"), Path.of("..data/a.yaml"));
        Files.createSymbolicLink(tmp.resolve("b.yaml"), Path.of("..data/b.yaml"));
        watched(tmp, NEVER, manifests -> {
            assertThat(ipOf("b")).isEqualTo("10.0.0.1");
            Path second = Files.createDirectory(tmp.resolve("..2"));
            Files.writeString(second.resolve("a.yaml"), service("a", "10.0.0.2"));
            Files.createSymbolicLink(tmp.resolve("..data_tmp"), Path.of("..2"));
            Files.move(tmp.resolve("..data_tmp"), tmp.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
            Files.delete(tmp.resolve("b.yaml"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.2"));
            eventually(() -> assertThat(ipOf("b")).isEqualTo("gone"));
        });
    }

    @Test
    void aFolderMayVanishAndComeBack() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.1"));
        watched(folder, NEVER, manifests -> {
            Files.delete(folder.resolve("a.yaml"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("gone"));
            Files.writeString(folder.resolve("b.yaml"), service("b", "10.0.0.2"));
            eventually(() -> assertThat(ipOf("b")).isEqualTo("10.0.0.2"));
            Files.move(folder, tmp.resolve("away"));
            Files.writeString(tmp.resolve("away/b.yaml"), service("b", "10.0.0.99"));
            eventually(() -> assertThat(problems(manifests))
                    .containsExactly(folder + ": the folder does not exist; what was read before stays in force"));
            assertThat(ipOf("b")).isEqualTo("10.0.0.2");
            Files.createDirectory(folder);
            Files.writeString(folder.resolve("c.yaml"), service("c", "10.0.0.3"));
            eventually(() -> assertThat(ipOf("c")).isEqualTo("10.0.0.3"));
            eventually(() -> assertThat(ipOf("b")).isEqualTo("gone"));
            eventually(() -> assertThat(manifests.problems()).isEmpty());
            Files.writeString(folder.resolve("c.yaml"), service("c", "10.0.0.4"));
            eventually(() -> assertThat(ipOf("c")).isEqualTo("10.0.0.4"));
        });
    }

    /** It may go just before a look at the files of which a change was reported, or that are young. */
    @Test
    void filesThatGoWithTheirFolderStayInForce() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.1"));
        Files.writeString(folder.resolve("b.yaml"), service("b", "10.0.0.2"));
        ManifestFolder manifests = ManifestFolder.unwatched(folder, store);
        Files.move(folder, tmp.resolve("away"));
        Optional<Set<String>> changed = Optional.of(Set.of("b.yaml"));
        assertThat(manifests.scan(changed)).isFalse();
        assertThat(List.of(ipOf("a"), ipOf("b"))).containsExactly("10.0.0.1", "10.0.0.2");
        assertThat(manifests.scan(changed)).isFalse();
        assertThat(problems(manifests))
                .containsExactly(folder + ": the folder does not exist; what was read before stays in force");
        assertThat(List.of(ipOf("a"), ipOf("b"))).containsExactly("10.0.0.1", "10.0.0.2");
    }

    @Test
    void aFolderThatIsNotThereYetIsWaitedFor() throws IOException {
        Path folder = tmp.resolve("later");
        watched(folder, NEVER, manifests -> {
            assertThat(store.isSynced()).isFalse();
            assertThat(problems(manifests)).containsExactly(folder + ": the folder does not exist; waiting for it");
            assertThat(manifests.unlisted()).contains("the folder does not exist; waiting for it");
            Files.createDirectory(folder);
            eventually(() -> assertThat(store.isSynced()).isTrue());
            assertThat(manifests.unlisted()).isEmpty();
            assertThat(manifests.problems()).isEmpty();
        });
    }

    @Test
    void aFileInPlaceOfTheFolder() throws IOException {
        Path file = Files.writeString(tmp.resolve("file"), "x");
        ManifestFolder manifests = ManifestFolder.unwatched(file, store);
        assertThat(problems(manifests)).containsExactly(file + ": this is not a folder; waiting for it");
    }

    @Test
    void periodicScanFindsUnreportedChanges() throws IOException {
        Path elsewhere = Files.writeString(tmp.resolve("real"), service("a", "10.0.0.1"));
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Files.createSymbolicLink(folder.resolve("a.yaml"), elsewhere);
        watched(folder, Duration.ofMillis(20), manifests -> {
            Files.writeString(elsewhere, service("a", "10.0.0.2"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.2"));
        });
    }

    @Test
    void reportsUnreadableFiles() throws IOException {
        Files.createSymbolicLink(tmp.resolve("a.yaml"), Path.of("nowhere"));
        Files.createSymbolicLink(tmp.resolve("b.yaml"), Path.of("/proc/self/mem"));
        Files.write(tmp.resolve("c.yaml"), new byte[] {'a', ':', (byte) 0xff, (byte) 0xfe});
        Files.write(tmp.resolve("d.yaml"), new byte[10_000_000]);
        ManifestFolder manifests = ManifestFolder.unwatched(tmp, store);
        assertThat(problems(manifests))
                .satisfiesExactly(
                        p -> assertThat(p).startsWith("a.yaml: dangling symbolic link"),
                        p -> assertThat(p).startsWith("b.yaml: cannot be read: "),
                        p -> assertThat(p).isEqualTo("c.yaml:1 (document 1): the text is not UTF-8"),
                        p -> assertThat(p)
                                .startsWith("d.yaml:1 (document 1): the document has more than 8388608 bytes"));
        assertThat(store.isSynced()).isTrue();
    }

    /** Where files run out or a server is away for a moment, the file itself does not change when it can be read again. */
    @Test
    void readsAFileAgainThatCouldNotBeRead() throws IOException {
        Files.createSymbolicLink(tmp.resolve("a.yaml"), Path.of("/proc/self/mem"));
        AtomicInteger read = new AtomicInteger();
        ManifestFolder.Progress counting = new ManifestFolder.Progress() {
            @Override
            public void fileRead() {
                read.incrementAndGet();
            }

            @Override
            public void allRead() {}
        };
        try (ManifestFolder manifests = ManifestFolder.watched(
                tmp,
                store,
                Optional.empty(),
                NEVER,
                counting,
                Dialect.STORED,
                AdmissionStage.NONE,
                Supervisor.none())) {
            eventually(() -> assertThat(manifests.settled()).isTrue());
            int before = read.get();
            manifests.scan(Optional.empty());
            assertThat(read).hasValue(before + 1);
            assertThat(problems(manifests)).singleElement().asString().startsWith("a.yaml: cannot be read: ");
        }
    }

    @Test
    void manyQuickChangesEndInTheLastState() throws IOException {
        watched(tmp, NEVER, manifests -> {
            for (int i = 1; i <= 200; i++) {
                Files.writeString(tmp.resolve("a.yaml"), service("a", "10.0.0." + i));
                Files.writeString(tmp.resolve("f" + i % 7 + ".yaml"), service("s" + i % 7, "10.0.1." + i));
            }
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.200"));
            eventually(() -> assertThat(ipOf("s4")).isEqualTo("10.0.1.200"));
            eventually(() -> assertThat(manifests.problems()).isEmpty());
        });
    }

    /** A file system may put the new name of a file on disk before its content: after a power failure the copy would be empty. */
    @Test
    void theContentOfACopyIsOnDiskBeforeItReplacesTheFormerOne() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Path state = tmp.resolve("state");
        Path record = tmp.resolve("forced.jfr");
        Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.1"));
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold().withoutStackTrace();
            recording.start();
            try (ManifestFolder manifests = withCopies(folder, state)) {
                eventually(() -> assertThat(manifests.settled()).isTrue());
            }
            recording.stop();
            recording.dump(record);
        }
        assertThat(state.resolve("last-good")).isDirectoryRecursivelyContaining("glob:**/a.yaml");
        assertThat(RecordingFile.readAllEvents(record))
                .extracting(event -> event.getString("path"))
                .singleElement()
                .asString()
                .startsWith(state.resolve("last-good").toString())
                .endsWith("/.a.yaml");
    }

    /** Nothing changes in the folder any more, and the next complete scan is far away. */
    @Test
    void copiesThatAreLeftAreMadeWithoutAnotherChange() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Path state = tmp.resolve("state");
        int count = 2 * LastGood.AT_ONCE + 1;
        for (int i = 0; i < count; i++) {
            Files.writeString(folder.resolve(i + ".yaml"), service("s" + i, "10.0.1." + i));
        }
        try (ManifestFolder manifests = withCopies(folder, state)) {
            assertThat(store.isSynced()).isTrue();
            eventually(() -> assertThat(manifests.settled()).isTrue());
        }
        assertThat(LastGood.in(state, folder, Dialect.STORED).names()).hasSize(count);
    }

    /** Its name says nothing about its objects, and neither does a text with an error. */
    @ParameterizedTest
    @CsvSource({"web.yml,web.yaml", "a.yaml,z.yaml"})
    void aBrokenFileThatIsRenamedKeepsItsLastGoodVersion(String from, String to) throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Path state = tmp.resolve("state");
        Path before = folder.resolve(from);
        Path after = folder.resolve(to);
        Files.writeString(before, service("a", "10.0.0.1"));
        try (ManifestFolder manifests = withCopies(folder, state)) {
            Files.writeString(folder.resolve("b.yaml"), service("a", "10.0.0.99"));
            Files.writeString(before, "kind: [\n");
            var _ = manifests.scan(Optional.empty());
            Files.move(before, after);
            var _ = manifests.scan(Optional.empty());
            assertThat(ipOf("a")).isEqualTo("10.0.0.1");
            assertThat(problems(manifests)).hasSize(2).anyMatch(problem -> problem.startsWith(to + ":"));
            assertThat(LastGood.in(state, folder, Dialect.STORED).names()).containsExactlyInAnyOrder("b.yaml", to);
            Files.delete(after);
            var _ = manifests.scan(Optional.empty());
            assertThat(ipOf("a")).as("of the other file").isEqualTo("10.0.0.99");
        }
    }

    /** A hard link to it, or another file in its place, has none of its objects. */
    @Test
    void aBrokenFileThatIsNewHasNoObjectsOfAnother() throws IOException {
        Files.writeString(tmp.resolve("a.yaml"), service("a", "10.0.0.1"));
        watched(tmp, NEVER, manifests -> {
            Files.writeString(tmp.resolve("a.yaml"), "kind: [\n");
            var _ = manifests.scan(Optional.empty());
            Files.createLink(tmp.resolve("A.yaml"), tmp.resolve("a.yaml"));
            var _ = manifests.scan(Optional.empty());
            assertThat(ipOf("a")).isEqualTo("10.0.0.1");
            assertThat(manifests.problems()).hasSize(2);
            Files.delete(tmp.resolve("a.yaml"));
            var _ = manifests.scan(Optional.empty());
            assertThat(ipOf("a")).isEqualTo("gone");
        });
    }

    @Test
    void aFileThatIsBrokenAtTheStartHasItsLastGoodVersion() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Path state = tmp.resolve("state");
        // The longest name that a file can have.
        String c = "c".repeat(250) + ".yaml";
        Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.1") + service("b", "10.0.0.2"));
        Files.writeString(folder.resolve(c), service("c", "10.0.0.3"));
        Files.writeString(folder.resolve("d.yaml"), service("d", "10.0.0.4"));
        try (ManifestFolder ignored = ManifestFolder.watched(
                folder,
                new Store(),
                Optional.of(state),
                NEVER,
                ManifestFolder.Progress.UNWATCHED,
                Dialect.STORED,
                AdmissionStage.NONE,
                Supervisor.none())) {
            Files.writeString(folder.resolve("a.yaml"), "kind: [\n");
            eventually(() ->
                    assertThat(problems(ignored)).singleElement().asString().contains("not YAML"));
        }
        Files.writeString(folder.resolve(c), service("c", "10.0.0.300"));
        Files.delete(folder.resolve("d.yaml"));
        try (ManifestFolder manifests = withCopies(folder, state)) {
            assertThat(ipOf("a")).isEqualTo("10.0.0.1");
            assertThat(ipOf("b")).isEqualTo("10.0.0.2");
            assertThat(ipOf("c")).isEqualTo("10.0.0.3");
            assertThat(ipOf("d")).isEqualTo("gone");
            assertThat(manifests.problems()).hasSize(2);
            Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.5"));
            eventually(() -> assertThat(ipOf("a")).isEqualTo("10.0.0.5"));
            assertThat(ipOf("b")).isEqualTo("gone");
        }
        try (var copies = Files.walk(state)) {
            assertThat(copies.filter(Files::isRegularFile)
                            .map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("a.yaml", c);
        }
    }

    /** What is in force of a file, when it never was good as a whole, or not since its last change, too. */
    @Nested
    final class PartsOfFilesWithErrors {
        private static final String BROKEN = "kind: [\n";

        private Path folder = tmp;
        private Path state = tmp;
        private Path file = tmp;

        @BeforeEach
        void folders() throws IOException {
            folder = Files.createDirectory(tmp.resolve("m"));
            state = tmp.resolve("state");
            file = folder.resolve("all.yaml");
        }

        /** Writes each version of the file, waits until it is dealt with, and starts again with the last one. */
        private void afterARestart(List<String> versions, ThrowingConsumer<ManifestFolder> test) throws IOException {
            Files.writeString(file, versions.getFirst());
            try (ManifestFolder manifests = withCopies(folder, state, new Store())) {
                for (String version : versions) {
                    Files.writeString(tmp.resolve("new"), version);
                    Files.move(tmp.resolve("new"), file, StandardCopyOption.ATOMIC_MOVE);
                    manifests.scan(Optional.empty());
                }
            }
            try (ManifestFolder manifests = withCopies(folder, state)) {
                test.accept(manifests);
            }
        }

        private List<String> inForce(String... names) {
            return Stream.of(names).map(ManifestFolderTest.this::ipOf).toList();
        }

        @Test
        void ofAFileThatNeverWasGood() throws IOException {
            afterARestart(
                    List.of(service("a", "10.0.0.1") + service("b", "10.0.0.256"), BROKEN),
                    manifests -> assertThat(inForce("a", "b")).containsExactly("10.0.0.1", "gone"));
        }

        @Test
        void ofSeveralVersions() throws IOException {
            afterARestart(
                    List.of(
                            service("a", "10.0.0.1") + service("b", "10.0.0.2"),
                            service("a", "10.0.0.11") + service("b", "10.0.0.256"),
                            service("a", "10.0.0.256") + service("b", "10.0.0.256") + service("c", "10.0.0.3"),
                            BROKEN),
                    manifests ->
                            assertThat(inForce("a", "b", "c")).containsExactly("10.0.0.11", "10.0.0.2", "10.0.0.3"));
        }

        /** The error is elsewhere, so the file says that the object is to go. */
        @Test
        void withoutAnObjectThatWasRemovedOnPurpose() throws IOException {
            afterARestart(
                    List.of(service("a", "10.0.0.1") + service("b", "10.0.0.2"), service("b", "10.0.0.256"), BROKEN),
                    manifests -> assertThat(inForce("a", "b")).containsExactly("gone", "10.0.0.2"));
            assertThat(LastGood.in(state, folder, Dialect.STORED).names()).containsExactly("all.yaml");
        }

        @Test
        void withoutAnyObject() throws IOException {
            afterARestart(
                    List.of(service("a", "10.0.0.1"), service("b", "10.0.0.256"), BROKEN),
                    manifests -> assertThat(inForce("a", "b")).containsExactly("gone", "gone"));
            assertThat(LastGood.in(state, folder, Dialect.STORED).names()).isEmpty();
        }

        /** Values keep the form in which they are written, and items of a list get the kind that the list names. */
        @Test
        void asTheyAreWritten() throws IOException {
            String list = """
                    apiVersion: v1
                    kind: ServiceList
                    items:
                    - metadata: {name: a, labels: {n: "1", y: "yes"}}
                      spec: {clusterIP: 10.0.0.1, ports: [{port: 0x50}]}
                    - metadata: {name: b}
                      spec: {clusterIP: 10.0.0.256}
                    """;
            afterARestart(List.of(list, BROKEN), manifests -> {
                assertThat(inForce("a", "b")).containsExactly("10.0.0.1", "gone");
                assertThat(store.service(new ServiceKey("default", "a"))
                                .service()
                                .orElseThrow()
                                .ports())
                        .extracting(Service.Port::port)
                        .containsExactly(80);
            });
        }

        /** The text as it was written has its comments. */
        @Test
        void theCopyOfAGoodFileStaysAsItIsWhileTheFileCannotBeRead() throws IOException {
            String good = "# Ours.\n" + service("a", "10.0.0.1");
            afterARestart(
                    List.of(good, BROKEN), manifests -> assertThat(inForce("a")).containsExactly("10.0.0.1"));
            try (var copies = Files.walk(state)) {
                assertThat(copies.filter(Files::isRegularFile))
                        .singleElement()
                        .satisfies(copy -> assertThat(copy).hasContent(good));
            }
        }

        /** Each file has a copy of its own claim; which of them is in force is recorded elsewhere. */
        @Test
        void ofAnObjectThatMovedToAnotherFile() throws IOException {
            Files.writeString(folder.resolve("other.yaml"), service("c", "10.0.0.256") + service("a", "10.0.0.9"));
            afterARestart(
                    List.of(service("a", "10.0.0.1") + service("b", "10.0.0.256"), service("b", "10.0.0.256"), BROKEN),
                    manifests -> assertThat(inForce("a", "b", "c")).containsExactly("10.0.0.9", "gone", "gone"));
        }
    }

    @Test
    void aCopyThatCannotBeMadeIsMadeLater() throws IOException {
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Path state = Files.createDirectory(tmp.resolve("state"));
        Path obstacle = Files.createFile(state.resolve("last-good"));
        String text = service("web", "10.0.0.1");
        Files.writeString(folder.resolve("web.yaml"), text);
        try (ManifestFolder manifests = withCopies(folder, state)) {
            eventually(() -> assertThat(manifests.settled()).isTrue());
            assertThat(obstacle).isEmptyFile();
            Files.delete(obstacle);
            manifests.scan(Optional.empty());
            try (var copies = Files.walk(obstacle)) {
                assertThat(copies.filter(Files::isRegularFile))
                        .singleElement()
                        .satisfies(copy -> assertThat(copy)
                                .hasFileName("web.yaml")
                                .content()
                                .isEqualTo(text));
            }
        }
    }

    @Test
    void worksWithoutAFolderForCopies() throws IOException {
        Path file = Files.writeString(tmp.resolve("state"), "a file, no folder");
        Path folder = Files.createDirectory(tmp.resolve("m"));
        Files.writeString(folder.resolve("a.yaml"), service("a", "10.0.0.1"));
        try (ManifestFolder manifests = ManifestFolder.watched(
                folder,
                store,
                Optional.of(file),
                NEVER,
                ManifestFolder.Progress.UNWATCHED,
                Dialect.STORED,
                AdmissionStage.NONE,
                Supervisor.none())) {
            assertThat(ipOf("a")).isEqualTo("10.0.0.1");
            assertThat(manifests.problems()).isEmpty();
        }
    }
}
