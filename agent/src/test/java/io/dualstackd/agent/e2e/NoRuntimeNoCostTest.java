package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without {@code --cri} nothing of what speaks to a container runtime is loaded: it would double the daemon's memory for nothing. */
@Tag("kernel")
final class NoRuntimeNoCostTest {
    @TempDir
    private Path folder;

    @Test
    void nothingOfGrpcIsLoaded() throws Exception {
        Path loaded = folder.resolve("loaded");
        try (HostUnderTest host = HostUnderTest.in(folder, Launch.usual().with("-Xlog:class+load:file=" + loaded))) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start();
            daemon.awaitInForce();
            assertThat(daemon.isAlive()).isTrue();
        }

        List<String> classes = Files.readAllLines(loaded);
        assertThat(classes).anyMatch(line -> line.contains("io.dualstackd.agent.app.Daemon "));
        assertThat(classes)
                .noneMatch(line -> line.contains(" io.grpc.")
                        || line.contains(" io.netty.")
                        || line.contains(" com.google.")
                        || line.contains(" io.dualstackd.cri."));
    }
}
