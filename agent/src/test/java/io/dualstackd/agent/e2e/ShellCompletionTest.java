package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real shells on a terminal complete commands, flags and the names that a running daemon knows. */
@Tag("kernel")
final class ShellCompletionTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "bash, bash --norc --noprofile -i, source <(dualstackd completion bash)",
        "zsh, zsh -f -i, 'autoload -U compinit; compinit -D; source <(dualstackd completion zsh)'",
        "fish, fish --no-config -i, dualstackd completion fish | source"
    })
    void completesTypedWords(String name, String shell, String sourced) throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            host.start().awaitInForce();
            String typed = sourced + "\n"
                    + "dualstackd vers\t\n"
                    + "dualstackd get --no-hea\t --admin-socket " + host.socket() + " -n e2e -o name svc we\t\n"
                    + "exit\n";
            assertThat(typed(shell, typed))
                    .as(name)
                    .contains("dualstackd development")
                    .contains("service/web")
                    .contains("--no-headers");
        }
    }

    /** What the terminal shows. */
    private String typed(String shell, String keys) throws Exception {
        Path program = folder.resolve("bin").resolve("dualstackd");
        Files.createDirectories(program.getParent());
        Files.writeString(
                program,
                "#!/bin/sh\nexec "
                        + Launch.usual().command(List.of("version")).stream()
                                .limit(Launch.usual()
                                                .command(List.of("version"))
                                                .size()
                                        - 1L)
                                .map(word -> "'" + word + "'")
                                .collect(Collectors.joining(" "))
                        + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        ProcessBuilder builder = new ProcessBuilder("script", "-qfec", shell, "/dev/null")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("PATH", program.getParent() + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("TERM", "xterm");
        Process terminal = builder.start();
        try {
            terminal.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
            terminal.getOutputStream().flush();
            String shown = new String(terminal.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(terminal.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return shown;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            terminal.destroyForcibly();
        }
    }
}
