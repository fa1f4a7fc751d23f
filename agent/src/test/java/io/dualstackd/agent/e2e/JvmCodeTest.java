package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of the JVM's machine code a daemon that has started keeps what it uses: less than half of what the start has brought into memory. */
@Tag("kernel")
final class JvmCodeTest {
    /** A start brings 14 to 16 MB of {@code libjvm.so} into memory; a page of which something is used brings 64 kB on older kernels. */
    private static final long MOST_KB = 10_000;

    @TempDir
    private Path folder;

    @Test
    void whatOnlyTheStartNeedsIsReleased() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start();
            daemon.awaitInForce();
            RunningDaemon.eventually()
                    .untilAsserted(() -> assertThat(resident(daemon.pid())).isBetween(1L, MOST_KB));
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 3));
            daemon.awaitLines(" in force family=IPv4 ", 2);
            assertThat(resident(daemon.pid())).isBetween(1L, MOST_KB);
            assertThat(daemon.terminate()).isZero();
        }
    }

    /** In kB, of all mappings of {@code libjvm.so}. */
    private static long resident(long pid) throws IOException {
        long sum = 0;
        boolean isCode = false;
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                isCode = line.endsWith("/libjvm.so");
            } else if (isCode && line.startsWith("Rss:")) {
                sum += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return sum;
    }
}
