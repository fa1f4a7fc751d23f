package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.cli.ExitCode;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sends SIGTERM to a process with a {@link Shutdown}. */
@Tag("slow")
class ShutdownSignalTest {
    private static Process child(String when) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShutdownChild.class.getName(),
                        when)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static ExitCode terminated(Process child, BufferedReader lines) throws Exception {
        assertThat(lines.readLine()).isEqualTo("ready");
        // Process.destroy would close the stream that is still read.
        assertThat(child.toHandle().destroy()).isTrue();
        assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return switch (child.exitValue()) {
            case 0 -> ExitCode.OK;
            case 1 -> ExitCode.FAILED;
            default -> throw new AssertionError("exit code " + child.exitValue());
        };
    }

    @Test
    void sigtermClosesWhatWasStartedAndIsAnOrderlyEnd() throws Exception {
        Process child = child(ShutdownChild.RUNNING);
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            assertThat(terminated(child, lines)).isEqualTo(ExitCode.OK);
            assertThat(lines.readLine()).isEqualTo("closed");
        } finally {
            child.destroyForcibly();
        }
    }

    /** The JVM's own exit code would be 143, and the unit would have failed. */
    @Test
    void sigtermBetweenTwoStartsIsAnOrderlyEnd() throws Exception {
        Process child = child(ShutdownChild.BETWEEN);
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).isEqualTo("closed");
            assertThat(terminated(child, lines)).isEqualTo(ExitCode.OK);
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void aStartThatFailedLeavesTheExitCodeToItsCaller() throws Exception {
        Process child = child(ShutdownChild.FAILED);
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).isEqualTo("closed");
            assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(child.exitValue()).isEqualTo(7);
        } finally {
            child.destroyForcibly();
        }
    }
}
