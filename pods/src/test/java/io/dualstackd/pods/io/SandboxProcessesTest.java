package io.dualstackd.pods.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes of sandboxes, in a folder that looks like that of the kernel. */
final class SandboxProcessesTest {
    private static final String ID = "0123456789abcdef";

    @TempDir
    private Path folder;

    private static Pods pod(int process) {
        return new Pods(List.of(new Pod(
                "shop",
                "web",
                "u1",
                new Pod.PodSandbox(ID, 0, Instant.EPOCH, true, process, true, false),
                false,
                List.of(),
                Map.of(),
                List.of())));
    }

    private static void runs(Path proc, int process) throws Exception {
        Path own = Files.createDirectories(proc.resolve(Integer.toString(process)));
        Files.writeString(own.resolve("cgroup"), "0::/kubepods/pod1/" + ID + "\n");
    }

    @Test
    void searchesForTheProcessThatHasAnotherNumberHere() throws Exception {
        runs(folder, 42);
        SandboxProcesses processes = new SandboxProcesses(folder);
        assertThat(processes.of(pod(7))).containsExactly(42);
        assertThat(processes.heldBy(Set.of(42))).containsExactly(ID);
    }

    @Test
    void aProcessThatIsNotVisibleIsSearchedOnce() throws Exception {
        SandboxProcesses processes = new SandboxProcesses(folder);
        assertThat(processes.of(pod(7))).isEmpty();
        runs(folder, 42);
        assertThat(processes.of(pod(7))).isEmpty();
    }

    /** As while the daemon has no file descriptors. */
    @Test
    void aSearchThatFailedIsRepeated() throws Exception {
        Path proc = folder.resolve("proc");
        SandboxProcesses processes = new SandboxProcesses(proc);
        assertThat(processes.of(pod(7))).isEmpty();
        runs(proc, 42);
        assertThat(processes.of(pod(7))).containsExactly(42);
    }
}
