package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code strace} over a whole life of the daemon: it starts no other program and makes no other process. */
@Tag("kernel")
final class NoSubprocessTest {
    @TempDir
    private Path folder;

    @Test
    void fromStartToEndNoOtherProgramIsStarted() throws Exception {
        Path trace = folder.resolve("trace");
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.startUnder(List.of(
                    "strace",
                    "-f",
                    "-qq",
                    "-e",
                    "trace=execve,execveat,fork,vfork,clone,clone3",
                    "-e",
                    "signal=none",
                    "-o",
                    trace.toString()));
            daemon.awaitInForce();
            host.put("web.yaml", Manifests.service("web", 1, "type: NodePort") + Manifests.slices("web", 0, 3));
            host.put("bad.yaml", "kind: [");
            daemon.awaitLines(" in force ", 4);
            host.delete("web.yaml");
            daemon.awaitLines(" in force ", 6);
            HostUnderTest.Ended status =
                    host.run("status", "--admin-socket", host.socket().toString());
            assertThat(status.exitCode()).as(status.out()).isEqualTo(5);
            assertThat(status.out()).contains("1 object of the source is refused");
            // strace does not forward the signal that ends it, so the daemon itself is signalled.
            daemon.child().destroy();
            assertThat(daemon.awaitEnd()).isZero();
        }
        List<String> calls = Files.readAllLines(trace);
        assertThat(calls)
                .filteredOn(line -> line.matches("\\d+ +execve(at)?\\(.*"))
                .singleElement()
                .asString()
                .contains("/bin/java\"");
        assertThat(calls)
                .as("threads are made, processes are not")
                .filteredOn(line -> line.matches("\\d+ +(clone3?|v?fork)\\(.*"))
                .isNotEmpty()
                .allMatch(line -> line.contains("CLONE_THREAD"));
    }
}
