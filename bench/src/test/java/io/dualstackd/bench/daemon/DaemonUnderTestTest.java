package io.dualstackd.bench.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is read of a daemon's log. Starts a process, so it is not one of the fast tests. */
@Tag("kernel")
final class DaemonUnderTestTest {
    /** Else all that follows would be the figures of the change before. */
    @Test
    @Timeout(20)
    void bothFamiliesAreWaitedForWhereOneIsInForceTwice() throws Exception {
        String log = "echo ' in force family=%s steps=1 messages=%d bytes=1 ms=%d.0'; ";
        String lines = log.formatted("IPv4", 1, 1) + log.formatted("IPv4", 2, 2) + log.formatted("IPv6", 3, 3);
        try (DaemonUnderTest daemon = new DaemonUnderTest(new ProcessBuilder("sh", "-c", lines).start())) {
            assertThat(daemon.nextOfBoth())
                    .extracting(DaemonUnderTest.InForce::family, DaemonUnderTest.InForce::messages)
                    .containsExactly(tuple("IPv4", 1), tuple("IPv6", 3));
        }
    }
}
