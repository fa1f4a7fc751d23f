package io.dualstackd.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A component that watches files receives notifications again after it failed while handling one; it does not fall back to polling. */
@Tag("kernel")
final class FileWatchRecoveryTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"manifests, .FolderWatch.drain", "settings, .Reloading.drain"})
    void failureWhileReadingEventsDoesNotEndTheWatch(String thread, String method) throws Exception {
        try (Scratch scratch = Scratch.fresh(folder);
                Testbed bed = Testbed.start(scratch, Mode.NFTABLES, Source.FOLDER, 3, 1)) {
            ChildDaemon daemon = bed.daemon();
            for (int round = 1; round <= 3; round++) {
                int thrown = round;
                daemon.send("throw " + thread + " " + method + " java.lang.IllegalStateException 0");
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .pollInterval(Duration.ofMillis(300))
                        .untilAsserted(() -> {
                            // Each time another change that must be notified.
                            bed.stir();
                            assertThat(daemon.timesThrown()).isEqualTo(thrown);
                        });
            }
            assertThat(daemon.threw())
                    .hasValueSatisfying(where -> assertThat(where).contains(method));
            assertThat(bed.oracle().awaitAgreement(System.nanoTime(), 60)).isTrue();
            assertThat(bed.supervisor().restarts()).isZero();
        }
    }
}
