package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A running daemon, and its output so far. */
final class RunningDaemon {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Process process;
    private final Path log;

    RunningDaemon(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Waits long, for the machine may be busy, and looks often. */
    static ConditionFactory eventually() {
        return Awaitility.await().atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
    }

    long pid() {
        return process.pid();
    }

    /** The daemon itself when it was started under another program. */
    ProcessHandle child() {
        return process.toHandle().children().findFirst().orElseThrow();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    List<String> log() throws IOException {
        return Files.readString(log, StandardCharsets.UTF_8).lines().toList();
    }

    /** Waits until both families have logged that their rules are in force. */
    void awaitInForce() {
        awaitLines(" in force family=IPv4 ", 1);
        awaitLines(" in force family=IPv6 ", 1);
    }

    /** Lines of the log with {@code part} in them. */
    int count(String part) throws IOException {
        return (int) log().stream().filter(line -> line.contains(part)).count();
    }

    /** Waits until at least {@code count} lines of the log contain {@code part}. */
    void awaitLines(String part, int count) {
        eventually().untilAsserted(() -> {
            List<String> lines = log();
            if (lines.stream().filter(line -> line.contains(part)).count() < count) {
                if (!process.isAlive()) {
                    // Not an AssertionError: waiting longer does not help.
                    throw new IllegalStateException(
                            "ended without \"" + part + "\"; its log:\n" + String.join("\n", lines));
                }
                throw new AssertionError(
                        "not yet " + count + " times \"" + part + "\" in the log:\n" + String.join("\n", lines));
            }
        });
    }

    /** SIGKILL; waits until the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGKILL at some moment, which is the point; the daemon must live until then. */
    void killAfter(long millis) throws Exception {
        assertThat(process.waitFor(millis, TimeUnit.MILLISECONDS))
                .as(() -> "ended by itself:\n" + String.join("\n", logOrNothing()))
                .isFalse();
        kill();
    }

    private List<String> logOrNothing() {
        try {
            return log();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** SIGTERM; returns the exit code. */
    int terminate() throws Exception {
        process.toHandle().destroy();
        return awaitEnd();
    }

    /** Waits for the end that something else causes; returns the exit code. */
    int awaitEnd() throws Exception {
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("does not end; its log:\n" + String.join("\n", log()));
        }
        return process.exitValue();
    }
}
