package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShutdownTest {
    /** What was started first is closed last: the lock, the rules that are passed on. */
    @Test
    void aPartThatCannotBeClosedDoesNotKeepTheOthersOpen() throws Exception {
        List<String> closed = new ArrayList<>();
        Shutdown shutdown = new Shutdown();
        shutdown.whileStarting(closer -> {
            closer.accept(() -> closed.add("first"));
            closer.accept(() -> {
                throw new UncheckedIOException(new FileSystemException("Read-only file system"));
            });
            closer.accept(() -> closed.add("last"));
        });
        shutdown.startAgain();
        assertThat(shutdown.await()).isEmpty();
        shutdown.cancel();
        assertThat(closed).containsExactly("last", "first");
    }
}
