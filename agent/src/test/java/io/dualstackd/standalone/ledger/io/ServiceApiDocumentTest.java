package io.dualstackd.standalone.ledger.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.admin.objects.ObjectsReportBuilder;
import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.cli.ExitCode;
import io.dualstackd.agent.cli.Launch;
import io.dualstackd.agent.cli.Terminal;
import io.dualstackd.agent.config.ServiceApiSettings;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import io.dualstackd.supervision.io.Supervisor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Does what {@code docs/service-api.md} and {@code docs/commands.md} say and compares: blocks of YAML are files named by their first line, lines after {@code $} are
 * commands, the lines below them what they print. {@code -Dgolden.update=true} writes the outputs instead.
 */
final class ServiceApiDocumentTest implements Actions {
    /** Short, for the path of a socket; its third word is the process. */
    private static final String HOME = "dualstackd-doc-";

    private static final Pattern WORD = Pattern.compile("[A-Z_]+='[^']*'|'[^']*'|[^ ]+");
    private static final Set<String> WITHOUT_DAEMON =
            Set.of("run", "validate", "version", "help", "completion", "statsu", "--help");
    private static final Pattern EDITED = Pattern.compile("/\\S*/dualstackd-edit-[0-9]+\\.yaml");
    private static final boolean UPDATE = Boolean.getBoolean("golden.update");
    /** Not random, so that an allocation depends only on what is free, and not on the number of earlier ones. */
    private static final RandomGenerator CHOICE = () -> 0x0123_4567_89ab_cdefL;

    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private Path home = Path.of("/");
    private Path socket = Path.of("/");
    private Instant now = BEGIN;
    private int runs;
    private int code;

    /** Not a {@code @TempDir}: the build's own folder may be too deep for a socket's path. */
    @BeforeEach
    void makeHome() throws IOException {
        removeHomesOfTheDead();
        home = Files.createTempDirectory(
                Path.of("/tmp"), HOME + ProcessHandle.current().pid() + "-");
        socket = home.resolve("admin.sock");
    }

    /** Of runs that were killed. */
    private static void removeHomesOfTheDead() throws IOException {
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(Path.of("/tmp"), HOME + "*")) {
            for (Path left : homes) {
                long pid = Long.parseLong(left.getFileName().toString().split("-", -1)[2]);
                if (ProcessHandle.of(pid).isEmpty()) {
                    remove(left);
                }
            }
        }
    }

    @AfterEach
    void removeHome() throws Exception {
        stop();
        remove(home);
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private void stop() throws Exception {
        while (!running.isEmpty()) {
            running.pop().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"service-api.md", "commands.md"})
    void everyCommandPrintsWhatStandsBelowIt(String name) throws IOException {
        Path document = Path.of("../docs").resolve(name);
        List<String> result = new ArrayList<>();
        Deque<String> lines = new ArrayDeque<>(Files.readAllLines(document));
        while (!lines.isEmpty()) {
            String line = lines.pop();
            result.add(line);
            if (line.equals("```yaml") || line.equals("```console")) {
                List<String> block = new ArrayList<>();
                while (!lines.getFirst().equals("```")) {
                    block.add(lines.pop());
                }
                if (line.equals("```yaml")) {
                    Path file = home.resolve(block.getFirst().substring("# ".length()));
                    Files.createDirectories(file.getParent());
                    Files.write(file, block);
                    result.addAll(block);
                } else {
                    result.addAll(play(block));
                }
                result.add(lines.pop());
            }
        }
        if (UPDATE) {
            Files.write(document, result);
        }
        assertThat(document).content().isEqualTo(String.join("\n", result) + "\n");
    }

    private List<String> play(List<String> block) {
        List<String> result = new ArrayList<>();
        for (String line : block) {
            if (line.startsWith("$ ")) {
                result.add(line);
                result.addAll(command(line.substring(2)));
            }
        }
        return result;
    }

    /** Files that were just written have the time of this document. */
    private void writtenNow() {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(file -> file.toString().contains("/manifests/"))
                    .toList()) {
                if (Files.getLastModifiedTime(file).toInstant().isAfter(now.plus(Duration.ofDays(1)))) {
                    Files.setLastModifiedTime(file, FileTime.from(now));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(String line) {
        if (line.equals("echo $?")) {
            return List.of(Integer.toString(code));
        }
        now = now.plusSeconds(1);
        List<String> words = new ArrayList<>(WORD.matcher(line)
                .results()
                .map(word -> word.group().replaceAll("^'|'$", ""))
                .map(word -> word.matches("[a-z0-9./-]+") && Files.exists(home.resolve(word)) && !word.startsWith(".")
                        ? home.resolve(word).toString()
                        : word)
                .toList());
        Map<String, String> environment = new HashMap<>();
        while (words.getFirst().matches("[A-Z_]+=.*")) {
            String[] variable = words.removeFirst().split("=", 2);
            environment.put(variable[0], variable[1].replaceAll("^'|'$", ""));
        }
        assertThat(words.removeFirst()).isEqualTo("dualstackd");
        if (!WITHOUT_DAEMON.contains(words.getFirst()) && !words.contains("--help")) {
            words.add("--admin-socket=" + socket);
        }
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            code = CommandLines.execute(this, "0.1", new Terminal(environment), out, out, words.toArray(new String[0]));
        }
        writtenNow();
        // What is kept of a text that was not accepted.
        EDITED.matcher(output.toString(StandardCharsets.UTF_8))
                .results()
                .forEach(kept ->
                        assertThat(Path.of(kept.group()).toFile().delete()).isTrue());
        return EDITED.matcher(output.toString(StandardCharsets.UTF_8))
                .replaceAll("/tmp/dualstackd-edit-1.yaml")
                .replace(home.resolve("run-" + runs) + "/", "")
                .replace(home + "/", "")
                .lines()
                .toList();
    }

    /** Everything but the kernel. */
    @Override
    public ExitCode run(Launch launch) {
        // What the daemon logs is not what a command prints.
        LogSetup.install(LogFormat.TEXT, LogLevel.ERROR, System.err);
        try {
            stop();
            start(launch.config().serviceApi().orElseThrow());
            return ExitCode.OK;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void start(ServiceApiSettings api) throws IOException {
        Path run = Files.createDirectory(home.resolve("run-" + ++runs));
        Path folder = Files.createDirectory(run.resolve("manifests"));
        Store store = new Store();
        ServiceLedger ledger = ServiceLedger.open(
                Journal.open(run.resolve("ledger")),
                new LedgerSettings(
                        api.clusterIpRanges(),
                        api.nodePorts().first(),
                        api.nodePorts().last(),
                        api.semantics(),
                        api.keepsKubernetesIp(),
                        api.cidrGrace()),
                CHOICE,
                () -> now);
        running.push(ledger);
        ManifestFolder manifests = ManifestFolder.watched(
                folder,
                store,
                Optional.empty(),
                Duration.ofHours(1),
                ManifestFolder.Progress.UNWATCHED,
                Dialect.WRITTEN,
                ledger,
                Supervisor.none());
        running.push(manifests);
        AdminServer admin = AdminServer.bind(socket);
        running.push(admin);
        admin.answer(new AdminSources(
                Reports::healthy,
                Optional::empty,
                () -> Optional.of(ObjectsReportBuilder.manifests(store, manifests)
                        .ledger(Optional.of(ledger.view()))
                        .madeAt(now)
                        .report()),
                Optional.of(manifests.commands()),
                Optional.empty(),
                List.of(),
                RecentLog.NONE));
    }

    @Override
    public ExitCode initialize(Launch launch) {
        throw new UnsupportedOperationException("not in the document");
    }

    @Override
    public ExitCode cleanup(Cleanup options, PrintStream out) {
        throw new UnsupportedOperationException("not in the document");
    }

    @Override
    public ExitCode demo(Demo options, PrintStream out) {
        throw new UnsupportedOperationException("not in the document");
    }
}
