package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class ProcessExitsTest {
    private static final long LONG = 60_000;

    private ProcessExits exits;
    private Process one;
    private Process other;

    @BeforeEach
    void start() throws IOException {
        exits = ProcessExits.create();
        one = new ProcessBuilder("sleep", "1000").start();
        other = new ProcessBuilder("sleep", "1000").start();
    }

    @AfterEach
    void stop() {
        one.destroyForcibly();
        other.destroyForcibly();
        exits.close();
    }

    private static int id(Process process) {
        return (int) process.pid();
    }

    @Test
    void reportsExitedProcess() throws SysException {
        assertThat(exits.watch(Set.of(id(one), id(other)))).isEmpty();
        assertThat(exits.await(0)).isEmpty();
        one.destroyForcibly();
        assertThat(exits.await(LONG)).containsExactly(id(one));
        assertThat(exits.await(0)).isEmpty();
        other.destroyForcibly();
        assertThat(exits.await(LONG)).containsExactly(id(other));
    }

    @Test
    void doesNotWaitForMissingOrUnwantedProcesses() throws Exception {
        other.destroyForcibly().waitFor();
        assertThat(exits.watch(Set.of(id(one), id(other)))).containsExactly(id(other));
        assertThat(exits.watch(Set.of())).isEmpty();
        one.destroyForcibly();
        exits.wake();
        assertThat(exits.await(LONG)).isEmpty();
    }

    @Test
    void aWakeEndsOneWait() throws SysException {
        exits.wake();
        exits.wake();
        assertThat(exits.await(LONG)).isEmpty();
        assertThat(exits.await(0)).isEmpty();
        Thread.ofPlatform().start(exits::wake);
        assertThat(exits.await(LONG)).isEmpty();
    }
}
