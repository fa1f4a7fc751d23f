package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands on a terminal: colours, and an editor that has it with all keys. */
@Tag("kernel")
final class EditorTerminalTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"'', true", "1, false"})
    @Timeout(120)
    void statesAreColouredOnATerminal(String noColor, boolean expected) throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.start().awaitInForce();
            String command = Launch.usual().command(List.of("status", "--admin-socket=" + host.socket())).stream()
                    .map(word -> "'" + word + "'")
                    .collect(Collectors.joining(" "));
            ProcessBuilder builder = new ProcessBuilder("script", "-qfec", "exec " + command, "/dev/null")
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile());
            builder.environment().putAll(Map.of("NO_COLOR", noColor, "TERM", "xterm"));
            Process terminal = builder.start();
            String shown = new String(terminal.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(terminal.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(shown).contains("ready");
            assertThat(shown.contains("\u001b[32mready\u001b[0m")).as(shown).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 50", "70, 70", "'', 0"})
    @Timeout(120)
    void longLinesAreBrokenAtTheWidthOfTheTerminal(String columns, int width) throws Exception {
        String command =
                Launch.usual().command(List.of("addresses", "--explain", "--node-ips", "203.0.113.77")).stream()
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" "));
        ProcessBuilder builder = new ProcessBuilder(
                        "script",
                        "-qfec",
                        "stty cols " + (width == 70 ? 200 : width) + "; " + command + " 2>&-",
                        "/dev/null")
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("COLUMNS", columns);
        Process terminal = builder.start();
        List<String> lines = new String(terminal.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(terminal.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(lines).as("%s", lines).hasSizeGreaterThan(1);
        int longest = lines.stream().mapToInt(String::length).max().orElseThrow();
        if (width == 0) {
            assertThat(longest).isGreaterThan(50);
        } else {
            assertThat(longest).as("%s", lines).isLessThanOrEqualTo(width);
        }
    }

    /** An editor that saves when Ctrl-C is pressed. */
    @Test
    @Timeout(120)
    void theEditorHasTheTerminalAndCtrlC() throws Exception {
        Path editor = folder.resolve("editor");
        Files.writeString(editor, """
                #!/bin/sh
                trap 'sed -i "s/sessionAffinity: None/sessionAffinity: ClientIP/" "$1"; exit 0' INT
                [ -t 0 ] && [ -t 1 ] && echo "the editor is open"
                while :; do sleep 0.1; done
                """);
        Files.setPosixFilePermissions(editor, PosixFilePermissions.fromString("rwx------"));
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.put("web.yaml", Manifests.service("web", 1, "sessionAffinity: None") + Manifests.slices("web", 0, 2));
            host.start().awaitInForce();
            String command = Launch.usual()
                    .command(List.of("edit", "svc/web", "-n", "e2e", "--admin-socket=" + host.socket()))
                    .stream()
                    .map(word -> "'" + word + "'")
                    .collect(Collectors.joining(" "));
            // A shell that runs the tests in the background has them ignore Ctrl-C.
            ProcessBuilder builder = new ProcessBuilder(
                            "env", "--default-signal=INT", "script", "-qfec", "exec " + command, "/dev/null")
                    .redirectErrorStream(true);
            builder.environment().put("DUALSTACKD_EDITOR", editor.toString());
            // Where the file is kept if this fails.
            builder.environment().put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder);
            Process terminal = builder.start();
            // What reads from it cannot be interrupted.
            CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES).execute(terminal::destroyForcibly);
            try {
                StringBuilder shown = new StringBuilder();
                InputStream screen = terminal.getInputStream();
                for (int next = screen.read(); next >= 0; next = screen.read()) {
                    shown.append((char) next);
                    if (shown.toString().endsWith("the editor is open")) {
                        terminal.getOutputStream().write("\003".getBytes(StandardCharsets.UTF_8));
                        terminal.getOutputStream().flush();
                    }
                }
                assertThat(terminal.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(shown.toString()).contains("service/web edited");
                assertThat(terminal.exitValue()).isZero();
            } finally {
                terminal.destroyForcibly();
            }
        }
    }
}
