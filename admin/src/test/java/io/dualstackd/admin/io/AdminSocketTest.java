package io.dualstackd.admin.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusReportBuilder;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.admin.objects.ObjectsReportBuilder;
import io.dualstackd.admin.objects.WholeObjects;
import io.dualstackd.admin.pods.PodsReport;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.standalone.edit.EditMode;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.edit.ObjectText;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class AdminSocketTest {
    private final AtomicReference<StatusReport> report = new AtomicReference<>(Reports.healthy());
    private Path folder = Path.of("/");
    private Path socket = Path.of("/");

    /** Not a {@code @TempDir}: the build's own folder may be too deep for a socket's path. */
    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("/tmp"), "dsd");
        socket = folder.resolve("run/admin.sock");
    }

    @AfterEach
    void removeFolder() throws IOException {
        Files.deleteIfExists(socket);
        Files.deleteIfExists(folder.resolve("run"));
        Files.deleteIfExists(folder);
    }

    private AdminServer open() throws IOException {
        return AdminServer.open(socket, report::get);
    }

    private AdminClient.Answer.Report ask(String format) {
        AdminClient.Answer answer = AdminClient.status(socket, format);
        assertThat(answer).isInstanceOf(AdminClient.Answer.Report.class);
        return (AdminClient.Answer.Report) answer;
    }

    /** That something else is where the socket was must not make a stop fail, and it is not the daemon's to remove. */
    @Test
    void whatHasReplacedTheSocketStays() throws IOException {
        Path inside = socket.resolve("inside");
        try (AdminServer ignored = open()) {
            Files.delete(socket);
            Files.createDirectory(socket);
            Files.writeString(inside, "");
        }
        assertThat(inside).exists();
        Files.delete(inside);
        Files.delete(socket);

        try (AdminServer ignored = open()) {
            Files.move(Files.writeString(folder.resolve("run/new"), "mine"), socket, StandardCopyOption.ATOMIC_MOVE);
        }
        assertThat(socket).content().isEqualTo("mine");
    }

    /** The next daemon may make its socket as soon as this one does not answer any more. */
    @Test
    void theSocketOfAnotherDaemonStays() throws IOException {
        Path other = folder.resolve("other");
        try (ServerSocketChannel next = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            next.bind(UnixDomainSocketAddress.of(other));
            try (AdminServer ignored = open()) {
                Files.move(other, socket, StandardCopyOption.ATOMIC_MOVE);
            }
            assertThat(Files.exists(socket)).isTrue();
        }
    }

    @Test
    void recordsFromATimeThatCannotBe() throws IOException {
        try (AdminServer ignored = open()) {
            for (String from : List.of("since-9223372036854775807", "since--9223372036854775807", "since-x", "x")) {
                assertThat(AdminClient.send(socket, "monitor " + from + " *"))
                        .isEqualTo(new AdminClient.Answer.Refused(
                                "\"" + from + "\": must be now, since-SECONDS or a number"));
            }
        }
    }

    @Test
    void statusInBothFormats() throws IOException {
        try (AdminServer ignored = open()) {
            assertThat(ask("text").text()).startsWith("dualstackd 0.1.0 on node-1: healthy\n");
            assertThat(ask("json").text()).startsWith("{\n  \"version\" : \"0.1.0\"");
            assertThat(ask("text").healthy()).isTrue();
            report.set(Reports.failing());
            assertThat(ask("text").healthy()).isFalse();
        }
    }

    /** The folder, too; the server looks whenever it wakes up, here by a client that has another name of the socket. */
    @Test
    void aSocketThatAnotherProgramRemovesIsMadeAgain() throws Exception {
        try (AdminServer ignored = open()) {
            Path other = Files.createLink(folder.resolve("other"), socket);
            Files.delete(socket);
            Files.delete(socket.getParent());
            assertThat(AdminClient.status(other, "text")).isInstanceOf(AdminClient.Answer.Report.class);
            long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (!Files.exists(socket) && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(ask("text").healthy()).isTrue();
            assertThat(Files.getPosixFilePermissions(socket)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            Files.delete(other);
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void aFileThatIsNoSocketIsNotReplaced() throws IOException {
        Files.createDirectories(socket.getParent());
        Files.writeString(socket, "of another program\n");
        assertThatThrownBy(this::open)
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("this is a file, not a socket");
        assertThat(socket).hasContent("of another program\n");
        Files.delete(socket);
        Files.createDirectory(socket);
        assertThatThrownBy(this::open).hasMessageContaining("this is a folder, not a socket");
    }

    @Test
    void aSocketThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("run"));
        assertThatThrownBy(this::open)
                .hasMessageStartingWith("the admin socket " + socket + " cannot be created: " + file);
        Files.delete(file);
        Path deep = folder.resolve("x".repeat(100));
        assertThatThrownBy(() -> AdminServer.open(deep, report::get))
                .hasMessageStartingWith("the admin socket " + deep + " cannot be created: ");
    }

    /** The name it has until it listens must not be the longer one. */
    @Test
    void thePathMayBeAsLongAsClientsAllow() throws IOException {
        int bytes = 106 - folder.toString().length() - 1;
        Path longest = folder.resolve("x".repeat(bytes));
        try (AdminServer ignored = AdminServer.open(longest, report::get)) {
            assertThatThrownBy(() -> AdminServer.requireFree(longest)).isInstanceOf(FileAlreadyExistsException.class);
        }
        Path sub = Files.createDirectory(folder.resolve("x".repeat(bytes - "/admin.sock".length())));
        try (AdminServer ignored = AdminServer.open(sub.resolve("admin.sock"), report::get)) {
            assertThat(sub).isDirectoryContaining(file -> file.endsWith("admin.sock"));
        }
        Files.delete(sub);
        Path longer = folder.resolve("x".repeat(bytes + 1));
        assertThatThrownBy(() -> AdminServer.open(longer, report::get))
                .hasMessage("the admin socket " + longer
                        + " cannot be created: the path has 107 bytes, that of a socket at most 106");
    }

    private static PodsReport pods(Optional<RuntimeReport.Outage> outage) {
        Pod web = new Pod(
                "shop",
                "web",
                "uid",
                new Pod.PodSandbox("id", 0, Instant.EPOCH, true, 0, true, false),
                false,
                List.of(Ip.parse("10.0.0.1"), Ip.parse("fd01::1")),
                Map.of(),
                List.of());
        RuntimeReport runtime = new RuntimeReport(
                "unix:///x",
                Optional.empty(),
                Optional.empty(),
                Optional.of(Instant.EPOCH),
                outage,
                EventFlow.BROKEN,
                false);
        return new PodsReport("n1", List.of(), new Pods(List.of(web)), runtime, Instant.EPOCH);
    }

    @Test
    void podsInAllFormats() throws IOException {
        AtomicReference<Optional<PodsReport>> known = new AtomicReference<>(Optional.empty());
        try (AdminServer server = AdminServer.bind(socket)) {
            server.answer(new AdminSources(
                    report::get,
                    known::get,
                    Optional::empty,
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    RecentLog.NONE));
            assertThat(AdminClient.send(socket, "pods text"))
                    .isEqualTo(new AdminClient.Answer.Refused(
                            "it follows no container runtime; start it with --cri ENDPOINT"));
            known.set(Optional.of(pods(Optional.empty())));
            for (String question : List.of(
                    "pods text",
                    "pods wide",
                    "pods json",
                    "pods yaml",
                    "pod text shop/web",
                    "pod json shop/web",
                    "pod yaml shop/web")) {
                assertThat(AdminClient.send(socket, question))
                        .isInstanceOfSatisfying(
                                AdminClient.Answer.Report.class,
                                report -> assertThat(report.text())
                                        .contains("10.0.0.1")
                                        .contains("fd01::1"));
            }
            assertThat(AdminClient.send(socket, "pod text shop/db"))
                    .isEqualTo(new AdminClient.Answer.Refused("no pod shop/db on n1"));
            assertThat(AdminClient.send(socket, "pods xml"))
                    .isInstanceOfSatisfying(
                            AdminClient.Answer.Refused.class,
                            refused -> assertThat(refused.why()).startsWith("unknown question \"pods xml\""));
            known.set(Optional.of(pods(Optional.of(new RuntimeReport.Outage(Instant.EPOCH, "gone")))));
            assertThat(AdminClient.send(socket, "pods text"))
                    .isInstanceOfSatisfying(
                            AdminClient.Answer.Report.class,
                            report -> assertThat(report.healthy()).isFalse());
        }
    }

    /** An API server that does not answer at the start: that nothing is known is not that there is nothing. */
    @Test
    void untilTheSourceIsReadNothingIsSaidToBeAbsent() throws IOException {
        report.set(StatusReportBuilder.report()
                .source(new StatusReport.Source(
                        "cluster",
                        "https://10.0.0.1:6443",
                        Optional.of("connection refused"),
                        false,
                        0,
                        0,
                        0,
                        Optional.empty(),
                        Optional.empty()))
                .build());
        String unread = "the source of the objects, cluster https://10.0.0.1:6443, has not been read completely yet"
                + " (connection refused); the rules in the kernel stay as they were until then; see 'dualstackd status'";
        try (AdminServer server = AdminServer.bind(socket)) {
            server.answer(new AdminSources(
                    report::get,
                    () -> Optional.of(pods(Optional.empty())),
                    () -> Optional.of(ObjectsReportBuilder.services(List.of(), WholeObjects.ELSEWHERE)
                            .report()),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    RecentLog.NONE));
            for (String question : List.of(
                    "get services watch * -",
                    "describe services/web shop -",
                    "describe services,nodes * -",
                    "service-list text *",
                    "top json *",
                    "top json * endpoints",
                    "explain text 10.0.0.1 10.96.0.10:80",
                    "explain-service text - shop/web")) {
                assertThat(AdminClient.send(socket, question))
                        .as(question)
                        .isEqualTo(new AdminClient.Answer.Refused(unread));
            }
            for (String question :
                    List.of("get services text * -", "get services/web yaml shop -", "get services/web name shop -")) {
                assertThat(AdminClient.send(socket, question))
                        .as(question)
                        .isEqualTo(new AdminClient.Answer.Report("Error: " + unread + "\n", false));
            }
            assertThat(AdminClient.send(socket, "get pods name shop -"))
                    .isEqualTo(new AdminClient.Answer.Report("pod/web\n", true));
            assertThat(AdminClient.send(socket, "get pods,services name shop -"))
                    .isEqualTo(new AdminClient.Answer.Report("pod/web\nError: " + unread + "\n", false));
        }
    }

    @Test
    void onlyTheOwnerMayAsk() throws IOException {
        try (AdminServer ignored = open()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            try (var files = Files.list(socket.resolveSibling("."))) {
                assertThat(files).hasSize(1);
            }
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void aLeftSocketFileIsReplaced() throws IOException {
        Files.createDirectories(socket.resolveSibling("."));
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(socket).exists();
        assertThat(AdminClient.status(socket, "text")).isInstanceOf(AdminClient.Answer.Unreachable.class);
        try (AdminServer ignored = open()) {
            assertThat(ask("text").healthy()).isTrue();
        }
    }

    @Test
    void aLivingDaemonIsNotReplaced() throws IOException {
        try (AdminServer ignored = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("another dualstackd");
            assertThatThrownBy(() -> AdminServer.requireFree(socket)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(ask("text").healthy()).isTrue();
        }
    }

    /** It is stopped, or hangs. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aDaemonThatAcceptsNoMoreConnectionsIsNotReplaced() throws IOException {
        Files.createDirectory(folder.resolve("run"));
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel hung = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            hung.bind(UnixDomainSocketAddress.of(socket), 1);
            assertThatThrownBy(() -> {
                        while (true) {
                            SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
                            waiting.add(client);
                            client.configureBlocking(false);
                            boolean ignored = client.connect(UnixDomainSocketAddress.of(socket));
                        }
                    })
                    .hasMessageContaining("temporarily unavailable");
            assertThatThrownBy(() -> AdminServer.requireFree(socket))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("does not answer");
        } finally {
            for (SocketChannel client : waiting) {
                client.close();
            }
        }
    }

    @Test
    void daemonIsUnreachable() {
        assertThat(AdminClient.status(socket, "text")).isInstanceOf(AdminClient.Answer.Unreachable.class);
    }

    /** A daemon that is killed while it answers, wherever that is. */
    @Test
    void aPartOfAReportIsNone() throws Exception {
        byte[] whole;
        try (AdminServer ignored = open()) {
            whole = raw("status text\n").getBytes(StandardCharsets.UTF_8);
        }
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.bind(UnixDomainSocketAddress.of(socket));
            for (int length = whole.length; length >= 0; length--) {
                Future<AdminClient.Answer> answer = threads.submit(() -> AdminClient.status(socket, "text"));
                try (SocketChannel client = server.accept()) {
                    assertThat(client.read(ByteBuffer.allocate(100))).isPositive();
                    assertThat(client.write(ByteBuffer.wrap(whole, 0, length))).isEqualTo(length);
                }
                assertThat(answer.get())
                        .as("%d of %d bytes", length, whole.length)
                        .isInstanceOf(
                                length == whole.length
                                        ? AdminClient.Answer.Report.class
                                        : AdminClient.Answer.Unreachable.class);
            }
        }
    }

    /** The time may be over while a part is printed, when nothing is being read. */
    @Test
    void anAnswerInPartsThatTakesTooLong() throws Exception {
        Files.createDirectories(socket.getParent());
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Future<AdminClient.Answer> answer = threads.submit(
                    () -> AdminClient.follow(socket, "trace live", Duration.ofSeconds(-59), part -> paused()));
            try (SocketChannel client = server.accept()) {
                assertThat(client.read(ByteBuffer.allocate(100))).isPositive();
                assertThat(client.write(ByteBuffer.wrap("live\n a packet\n\n".getBytes(StandardCharsets.UTF_8))))
                        .isPositive();
                assertThat(answer.get())
                        .isEqualTo(new AdminClient.Answer.Unreachable(
                                "it listens on the socket but does not answer within 1 s"));
            }
        }
    }

    private static boolean paused() {
        LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
        return true;
    }

    /** {@code trace | head}. */
    @Test
    void aReaderThatHasSeenEnoughEndsTheAnswer() throws Exception {
        Files.createDirectories(socket.getParent());
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Future<AdminClient.Answer> answer = threads.submit(
                    () -> AdminClient.follow(socket, "trace live", Duration.ofMinutes(1), part -> false));
            try (SocketChannel client = server.accept()) {
                assertThat(client.read(ByteBuffer.allocate(100))).isPositive();
                assertThat(client.write(ByteBuffer.wrap("live\n packet 1\n\n".getBytes(StandardCharsets.UTF_8))))
                        .isPositive();
                assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(new AdminClient.Answer.Report("", true));
                assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
    }

    @Test
    void strangeQuestions() throws IOException {
        try (AdminServer ignored = open()) {
            assertThat(AdminClient.status(socket, "xml")).isInstanceOf(AdminClient.Answer.Refused.class);
            assertThat(raw("x".repeat(5_000))).startsWith("error\n");
            assertThat(raw("")).startsWith("error\n");
            assertThat(ask("text").healthy()).isTrue();
        }
    }

    /** Names of many objects are one request. */
    @Test
    void aRequestHasABound() throws IOException {
        String names = "service/web,".repeat(2_000);
        try (AdminServer ignored = open()) {
            assertThat(AdminClient.send(socket, "get " + names + " text shop -"))
                    .isInstanceOfSatisfying(
                            AdminClient.Answer.Refused.class,
                            refused -> assertThat(refused.why()).contains("more than 16383 (16 KiB)", "split it"));
            assertThat(AdminClient.send(socket, "x".repeat(16 * 1024 - 1)))
                    .isInstanceOfSatisfying(
                            AdminClient.Answer.Refused.class,
                            refused -> assertThat(refused.why()).startsWith("unknown question \"xxx"));
        }
    }

    private String raw(String question) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(question.getBytes(StandardCharsets.UTF_8)));
            channel.shutdownOutput();
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // the server answered and closed before it had read everything, which resets the connection
            return "error\n";
        }
    }

    /** Echoes its input. */
    private static final class Echo implements ManifestEditor {
        @Override
        public EditResult apply(List<NamedText> texts, String namespace, EditMode mode, FieldValidation fields) {
            String name = texts.getFirst().name();
            String text = texts.getFirst().text();
            boolean dryRun = mode == EditMode.DRY_RUN;
            if (text.startsWith("bug")) {
                throw new IllegalArgumentException("a bug, wanted by the test");
            }
            return text.startsWith("bad")
                    ? new EditResult.Refused(List.of("a.yaml:1: error: one"), List.of("two"))
                    : new EditResult.Written(
                            List.of(name + " " + namespace + " " + text.length() + " " + dryRun), List.of("strange"));
        }

        @Override
        public EditResult delete(List<NamedText> texts, String namespace, boolean optional, boolean dryRun) {
            return new EditResult.Written(
                    List.of(texts.getFirst().name() + " " + texts.getFirst().text() + " " + optional + " " + dryRun),
                    List.of());
        }

        @Override
        public ObjectText text(ObjectKey key) {
            return switch (key.name()) {
                case "absent" -> new ObjectText.Absent();
                case "refused" -> new ObjectText.Refused("why");
                default -> new ObjectText.Found("# " + key + "\n");
            };
        }

        @Override
        public EditResult replace(ObjectKey key, String version, NamedText text, FieldValidation fields) {
            return new EditResult.Written(
                    List.of(key + " " + version + " " + text.name() + " " + text.text()), List.of());
        }

        @Override
        public EditResult delete(ObjectKey key, boolean optional, boolean dryRun) {
            return new EditResult.Written(List.of(key + " " + optional + " " + dryRun), List.of());
        }
    }

    private AdminServer editable() throws IOException {
        AdminServer server = AdminServer.bind(socket);
        server.answer(new AdminSources(
                report::get,
                Optional::empty,
                Optional::empty,
                Optional.of(new Echo()),
                Optional.empty(),
                List.of(),
                RecentLog.NONE));
        return server;
    }

    private String report(String words, String text) {
        return AdminClient.send(socket, words, text.getBytes(StandardCharsets.UTF_8))
                        instanceof AdminClient.Answer.Report report
                ? report.text()
                : "";
    }

    @Test
    void textsAreTaken() throws IOException {
        try (AdminServer ignored = editable()) {
            String large = "x".repeat(4 * 1024 * 1024);
            assertThat(report("apply shop now strict web.yaml", large))
                    .isEqualTo("Warning: strange\nweb.yaml shop 4194304 false\n");
            assertThat(report("apply shop dry strict web.yaml", "é\nü")).endsWith("web.yaml shop 3 true\n");
            assertThat(report("apply shop dry strict web.yaml", "")).endsWith("web.yaml shop 0 true\n");
            assertThat(report("delete-text shop now may web.yaml", "abc")).isEqualTo("web.yaml abc true false\n");
            assertThat(AdminClient.send(socket, "delete Service shop web dry must"))
                    .isEqualTo(new AdminClient.Answer.Report("Service shop/web false true\n", true));
            assertThat(AdminClient.send(socket, "delete ServiceCIDR shop more now must"))
                    .isEqualTo(new AdminClient.Answer.Report("ServiceCIDR more false false\n", true));
            assertThat(AdminClient.send(socket, "text Service shop web"))
                    .isEqualTo(new AdminClient.Answer.Report("# Service shop/web\n", true));
            assertThat(AdminClient.send(socket, "text ServiceCIDR shop refused"))
                    .isEqualTo(new AdminClient.Answer.Refused("why"));
            assertThat(report("replace ServiceCIDR shop more 12ab warn edit.yaml", "abc"))
                    .isEqualTo("ServiceCIDR more 12ab edit.yaml abc\n");
            assertThat(AdminClient.send(socket, "apply shop now strict x", "bad".getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(new AdminClient.Answer.Refused("\ta.yaml:1: error: one\ntwo"));
        }
    }

    /** A word for a dry run that this version does not have must not change anything. */
    @Test
    void aRequestWithAnUnknownWordChangesNothing() throws IOException {
        try (AdminServer ignored = editable()) {
            for (String request : List.of(
                    "apply shop server-dry strict f 0",
                    "apply shop now lax f 0",
                    "delete-text shop server-dry must f 0",
                    "delete-text shop diff must f 0",
                    "delete-text shop now perhaps f 0",
                    "delete Service shop web server-dry must",
                    "delete Service shop web now perhaps")) {
                assertThat(AdminClient.send(socket, request))
                        .isInstanceOfSatisfying(
                                AdminClient.Answer.Refused.class,
                                refused -> assertThat(refused.why()).startsWith("unknown question \"" + request));
            }
        }
    }

    /** A bug is not taken for a mistake of the client. */
    @Test
    void aTextThatMeetsABugIsNotBlamedOnTheClient() throws IOException {
        try (AdminServer ignored = editable()) {
            assertThat(AdminClient.send(socket, "apply shop now strict x", "bug".getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOfSatisfying(
                            AdminClient.Answer.Refused.class,
                            refused -> assertThat(refused.why())
                                    .startsWith("this is a bug in dualstackd, please report it")
                                    .endsWith("a bug, wanted by the test"));
            for (String divided : List.of("10 a\t\nshort", "x a\t\n", "3 a\nabc", "-1 a\t\nabc")) {
                assertThat(AdminClient.send(
                                socket, "apply shop now strict *", divided.getBytes(StandardCharsets.UTF_8)))
                        .isEqualTo(new AdminClient.Answer.Refused(
                                "the texts of the request are not divided as announced"));
            }
        }
    }

    /** Where an API server has the objects, nothing is changed here. */
    @Test
    void inAClusterChangesAreForKubectl() throws IOException {
        report.set(StatusReportBuilder.like(Reports.healthy())
                .cluster(Duration.ZERO)
                .build());
        try (AdminServer ignored = open()) {
            for (String request : List.of(
                    "text Service shop web",
                    "replace Service shop web 12 f 0",
                    "apply shop now lax f 0",
                    "delete-text x dry may f 0")) {
                assertThat(AdminClient.send(socket, request))
                        .isInstanceOfSatisfying(
                                AdminClient.Answer.Refused.class,
                                refused -> assertThat(refused.why())
                                        .startsWith("this daemon takes its objects from the API server")
                                        .endsWith("with kubectl"));
            }
        }
    }

    /** Neither a client that promises too much nor one that promises nothing sensible makes the daemon keep anything. */
    @Test
    void textsHaveABound() throws IOException {
        try (AdminServer ignored = editable()) {
            assertThat(AdminClient.send(socket, "apply shop now strict x", new byte[4 * 1024 * 1024 + 1]))
                    .isInstanceOfSatisfying(
                            AdminClient.Answer.Refused.class,
                            report -> assertThat(report.why()).contains("4 MiB", "split it"));
            for (String length : List.of("4194305", "2147483648", "-1", "many")) {
                assertThat(raw("apply shop now strict x " + length + "\n"))
                        .startsWith("error\nthe text is longer than 4 MiB");
            }
            assertThat(raw("apply shop now strict x 10\nshort")).isEmpty();
            assertThat(ask("text").healthy()).isTrue();
        }
    }

    @Test
    void slowClientDoesNotBlockOthers() throws IOException {
        List<SocketChannel> slow = new ArrayList<>();
        try (AdminServer ignored = editable()) {
            for (String begun :
                    List.of("", "sta", "apply shop now strict x 100\nhalf", "apply shop now strict x 4000000\n")) {
                for (int i = 0; i < 8; i++) {
                    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                    slow.add(channel);
                    channel.write(ByteBuffer.wrap(begun.getBytes(StandardCharsets.UTF_8)));
                }
            }
            assertThat(ask("text").healthy()).isTrue();
            assertThat(AdminClient.send(socket, "delete Service shop web dry must"))
                    .isInstanceOf(AdminClient.Answer.Report.class);
        } finally {
            for (SocketChannel channel : slow) {
                channel.close();
            }
        }
    }

    @Test
    void manyAtOnce() throws Exception {
        try (AdminServer ignored = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<AdminClient.Answer>>();
            for (int i = 0; i < 80; i++) {
                answers.add(threads.submit(() -> AdminClient.status(socket, "json")));
            }
            for (var answer : answers) {
                assertThat(answer.get()).isInstanceOf(AdminClient.Answer.Report.class);
            }
        }
    }
}
