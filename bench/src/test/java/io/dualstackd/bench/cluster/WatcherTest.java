package io.dualstackd.bench.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class WatcherTest {
    @TempDir
    private Path folder;

    /** Figures of a daemon that is watched are those of one that is not, when the client has gone. */
    @Test
    @Timeout(20)
    void saysThatTheDaemonDidNotAnswer() throws Exception {
        Path nobody = folder.resolve("admin.sock");
        for (boolean reads : new boolean[] {true, false}) {
            try (Watcher watcher = reads ? Watcher.reading(nobody) : Watcher.stalled(nobody)) {
                watcher.awaitEnd();
                assertThatThrownBy(watcher::summary)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("does not answer");
            }
        }
    }
}
