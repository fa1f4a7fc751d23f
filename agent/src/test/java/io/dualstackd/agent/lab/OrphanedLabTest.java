package io.dualstackd.agent.lab;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A laboratory whose JVM is killed takes its processes with it, and the next one takes its folder and cgroups away. */
@RealRuntime
@Tag("kernel")
class OrphanedLabTest {
    @Test
    void nothingIsLeftOfAKilledTest() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrphanedLab.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path folder;
        List<ProcessHandle> family;
        try {
            folder = Path.of(Objects.requireNonNull(
                    jvm.inputReader(StandardCharsets.UTF_8).readLine(), "it ended"));
            family = jvm.descendants().toList();
            // containerd, a shim, the pause process and the server at least, and what holds them.
            assertThat(family).hasSizeGreaterThan(5);
            assertThat(folder).isDirectory();
        } finally {
            jvm.destroyForcibly().waitFor();
        }
        eventually().untilAsserted(() -> assertThat(family).noneMatch(ProcessHandle::isAlive));
        LabFolder.removeOrphans();
        assertThat(folder).doesNotExist();
        String name = folder.getFileName().toString();
        assertThat(Path.of("/sys/fs/cgroup").resolve(name)).doesNotExist();
        assertThat(Path.of("/sys/fs/cgroup/memory").resolve(name)).doesNotExist();
    }
}
