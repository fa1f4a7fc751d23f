package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.NetNsLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a namespace of the test's own. */
@Tag("kernel")
final class DaemonLockTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private NetNs ns;

    @BeforeEach
    void prepare() throws Exception {
        ns = NetNs.create();
    }

    @AfterEach
    void end() {
        ns.close();
    }

    @Test
    void secondDaemonIsToldWhichProcessHoldsTheLock() throws Exception {
        try (DaemonLock first = DaemonLock.take(ns, "mode nftables, admin socket /run/a", LONG)) {
            assertThat(first).isNotNull();
            for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofSeconds(1)}) {
                assertThatThrownBy(() -> DaemonLock.take(ns, "second", timeout))
                        .isInstanceOf(DaemonLock.Taken.class)
                        .hasMessageContaining("another dualstackd programs this network namespace (process "
                                + ProcessHandle.current().pid() + ", mode nftables, admin socket /run/a)");
            }
        }
        DaemonLock.take(ns, "third", Duration.ZERO).close();
    }

    @Test
    void secondDaemonContinuesWhenTheFirstEnds() throws Exception {
        DaemonLock first = DaemonLock.take(ns, "first", LONG);
        CompletableFuture<DaemonLock> second = CompletableFuture.supplyAsync(() -> {
            try {
                return DaemonLock.take(ns, "second", LONG);
            } catch (DaemonLock.Taken e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(second).isNotDone();
        first.close();
        try (DaemonLock held = second.get()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> DaemonLock.take(ns, "third", Duration.ZERO))
                    .hasMessageContaining("second");
        }
    }

    /** Every user of the host may take the name; that must not keep the daemon from its work. */
    @Test
    void aProcessThatCouldNotChangeRulesIsNoDaemon() throws Exception {
        int user = 12_345;
        assertThat(DaemonLock.mayChangeRules(new NetNsLock.Holder(0, 0, ""))).isTrue();
        assertThat(DaemonLock.mayChangeRules(new NetNsLock.Holder(0, user, ""))).isFalse();
        int own = (int) ProcessHandle.current().pid();
        assertThat(DaemonLock.mayChangeRules(new NetNsLock.Holder(own, user, "")))
                .isTrue();
        Process harmless = new ProcessBuilder("setpriv", "--bounding-set=-all", "--inh-caps=-all", "cat").start();
        try {
            harmless.outputWriter().append("started\n").flush();
            assertThat(harmless.inputReader().readLine()).isEqualTo("started");
            assertThat(DaemonLock.mayChangeRules(new NetNsLock.Holder((int) harmless.pid(), user, "")))
                    .isFalse();
        } finally {
            harmless.destroyForcibly().waitFor();
        }
    }
}
