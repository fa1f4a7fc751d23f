package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.admin.monitor.LineFilter;
import io.dualstackd.admin.monitor.RecentLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code monitor} and the answers it asks for. */
@Timeout(120)
final class MonitorCommandTest {
    private static final Actions NO_ACTIONS = (Actions) Proxy.newProxyInstance(
            Actions.class.getClassLoader(), new Class<?>[] {Actions.class}, (self, method, arguments) -> {
                throw new AssertionError(method.getName());
            });

    @TempDir
    Path folder;

    /** Gives batches that were written beforehand, and records from which number each was requested. */
    private static final class ScriptedLog implements RecentLog {
        private final Deque<Batch> batches = new ArrayDeque<>();
        private final List<Long> requested = new ArrayList<>();

        @Override
        public synchronized Batch from(long number, LineFilter filter) {
            requested.add(number);
            return batches.remove();
        }

        synchronized List<Long> requested() {
            return List.copyOf(requested);
        }

        @Override
        public long since(Instant time) {
            return 0;
        }

        @Override
        public long next() {
            return 0;
        }
    }

    private static String line(String message) {
        return "{\"time\":\"2026-11-24T12:00:00.000Z\",\"level\":\"INFO\",\"logger\":\"objects\",\"msg\":\"" + message
                + "\"}";
    }

    private static AdminSources sources(RecentLog log) {
        return new AdminSources(
                Reports::healthy, Optional::empty, Optional::empty, Optional.empty(), Optional.empty(), List.of(), log);
    }

    private List<String> once(ScriptedLog log) throws Exception {
        Path socket = folder.resolve("admin.sock");
        try (AdminServer server = AdminServer.bind(socket)) {
            server.answer(sources(log));
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
                int code = CommandLines.execute(
                        NO_ACTIONS,
                        "0.1",
                        new Terminal(Map.of()),
                        out,
                        out,
                        "monitor",
                        "--admin-socket=" + socket,
                        "--since=" + Duration.ofMinutes(5).toMinutes() + "m",
                        "--once");
                assertThat(code).isZero();
            }
            return printed.toString(StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Test
    void readsWhatIsOnRecordInSeveralAnswers() throws Exception {
        ScriptedLog log = new ScriptedLog();
        log.batches.add(new RecentLog.Batch(2, 3, 0, List.of(line("one"), line("two"))));
        log.batches.add(new RecentLog.Batch(3, 4, 0, List.of(line("three"))));
        assertThat(once(log)).hasSize(3).allSatisfy(text -> assertThat(text).startsWith("12:00:00.000  objects"));
        assertThat(log.requested).containsExactly(0L, 2L);
    }

    /** A value may be the name of a process, or what a kernel or a server says. */
    @Test
    void controlCharactersAreNotPrinted() throws Exception {
        ScriptedLog log = new ScriptedLog();
        log.batches.add(new RecentLog.Batch(1, 1, 0, List.of(line("by \\u001b[2Jme"))));
        assertThat(once(log)).singleElement().asString().endsWith("by \\u001b[2Jme");
    }

    /** The start of the next daemon is what one wants to see. */
    @Test
    void waitsForTheNextDaemon() throws Exception {
        Path socket = folder.resolve("admin.sock");
        ScriptedLog before = new ScriptedLog();
        for (int i = 0; i < 1000; i++) {
            before.batches.add(new RecentLog.Batch(5, 5, 0, List.of()));
        }
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            Thread monitor = Thread.ofVirtual()
                    .unstarted(() -> CommandLines.execute(
                            NO_ACTIONS,
                            "0.1",
                            new Terminal(Map.of()),
                            out,
                            out,
                            "monitor",
                            "--admin-socket=" + socket));
            try (AdminServer server = AdminServer.bind(socket)) {
                server.answer(sources(before));
                monitor.start();
                await().untilAsserted(() -> assertThat(before.requested()).hasSizeGreaterThan(1));
            }
            await().untilAsserted(() -> assertThat(printed.toString(StandardCharsets.UTF_8))
                    .isEqualTo("dualstackd: no daemon answers; waiting for the next one\n"));
            ScriptedLog after = new ScriptedLog();
            after.batches.add(new RecentLog.Batch(900, 900, 0, List.of(line("anew"))));
            for (int i = 0; i < 1000; i++) {
                after.batches.add(new RecentLog.Batch(900, 900, 0, List.of()));
            }
            try (AdminServer server = AdminServer.bind(socket)) {
                server.answer(sources(after));
                await().untilAsserted(() ->
                        assertThat(printed.toString(StandardCharsets.UTF_8)).endsWith("anew\n"));
            }
            monitor.interrupt();
            monitor.join();
            assertThat(after.requested().getFirst()).isEqualTo(5);
        }
    }

    /** {@code monitor | head -1}. */
    @Test
    void endsWhenNobodyReadsAnyMore() throws Exception {
        ScriptedLog log = new ScriptedLog();
        log.batches.add(new RecentLog.Batch(1, 1, 0, List.of(line("one"))));
        Path socket = folder.resolve("admin.sock");
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int ignored) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        try (AdminServer server = AdminServer.bind(socket);
                PrintStream out = new PrintStream(closed, true, StandardCharsets.UTF_8);
                PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)) {
            server.answer(sources(log));
            assertThat(CommandLines.execute(
                            NO_ACTIONS,
                            "0.1",
                            new Terminal(Map.of(), false, true),
                            out,
                            err,
                            "monitor",
                            "--admin-socket=" + socket))
                    .isZero();
        }
        assertThat(log.requested).hasSize(1);
    }

    @Test
    void endsWhenTheDaemonIsStartedAnewMeanwhile() throws Exception {
        ScriptedLog log = new ScriptedLog();
        log.batches.add(new RecentLog.Batch(500, 2000, 0, List.of(line("before"))));
        log.batches.add(new RecentLog.Batch(7, 7, 0, List.of(line("after"))));
        assertThat(once(log)).hasSize(2);
        assertThat(log.requested).containsExactly(0L, 500L);
    }
}
