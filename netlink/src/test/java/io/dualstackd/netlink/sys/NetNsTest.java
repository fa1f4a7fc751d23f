package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
class NetNsTest {
    @Test
    void anonymousOneIsNewAndLeavesTheCallerWhereItWas() throws Exception {
        try (NetNs before = NetNs.current();
                NetNs fresh = NetNs.create();
                NetNs after = NetNs.current()) {
            assertThat(fresh.id()).isNotEqualTo(before.id());
            assertThat(after.id()).isEqualTo(before.id());
            assertThat(fresh.call(() -> Files.readAllLines(Path.of("/proc/thread-self/net/dev"))))
                    .filteredOn(line -> line.contains(":"))
                    .singleElement()
                    .asString()
                    .startsWith("    lo:");
        }
    }

    @Test
    void codeRunsInsideOnAThreadOfItsOwn() throws Exception {
        try (NetNs ns = NetNs.create()) {
            Thread here = Thread.currentThread();
            String inside = ns.call(() -> {
                assertThat(Thread.currentThread()).isNotSameAs(here);
                assertThat(Thread.currentThread().isVirtual()).isFalse();
                try (NetNs own = NetNs.current()) {
                    return own.id();
                }
            });
            assertThat(inside).isEqualTo(ns.id());
        }
    }

    @Test
    void failuresComeBackAsThrown() throws Exception {
        try (NetNs ns = NetNs.create()) {
            IOException mine = new IOException("mine");
            assertThatThrownBy(() -> ns.call(() -> {
                        throw mine;
                    }))
                    .isSameAs(mine);
            assertThatThrownBy(() -> ns.call(() -> {
                        throw new AssertionError("also mine");
                    }))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("also mine");
        }
    }

    @Test
    void interruptReachesTheCodeInside() throws Exception {
        try (NetNs ns = NetNs.create()) {
            CountDownLatch never = new CountDownLatch(1);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> ns.call(() -> {
                        never.await();
                        return "";
                    }))
                    .isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void closedOneCannotBeEntered() throws Exception {
        NetNs ns = NetNs.create();
        ns.close();
        assertThatExceptionOfType(SysException.class).isThrownBy(() -> ns.call(() -> ""));
        assertThat(ns).hasToString("closed");
    }

    @Test
    void settingsBelongToTheNamespace() throws Exception {
        try (NetNs host = NetNs.current();
                NetNs one = NetNs.create();
                NetNs other = NetNs.create()) {
            String hostBefore = Sysctl.read(host, "net/ipv4/ip_forward");
            Sysctl.write(one, "net/ipv4/ip_forward", "1");
            Sysctl.write(other, "net/ipv4/ip_forward", "0");
            assertThat(Sysctl.read(one, "net/ipv4/ip_forward")).isEqualTo("1");
            assertThat(Sysctl.read(other, "net/ipv4/ip_forward")).isEqualTo("0");
            assertThat(Sysctl.read(host, "net/ipv4/ip_forward")).isEqualTo(hostBefore);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Sysctl.write(one, "kernel/panic", "0"))
                    .withMessageContaining("kernel/panic");
        }
    }
}
