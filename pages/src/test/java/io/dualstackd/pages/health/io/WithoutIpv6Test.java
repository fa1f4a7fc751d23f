package io.dualstackd.pages.health.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.process.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The health pages of a node with IPv4 only whose configuration names an IPv6 address for them. */
@Tag("kernel")
final class WithoutIpv6Test {
    /** As for kube-proxy, it is no reason not to start. */
    @Test
    void anIpv6AddressIsReportedAsClosed() throws Exception {
        ProcessBuilder command = ChildJvm.of(WithoutIpv6Child.class);
        command.command().add(1, "-Djava.net.preferIPv4Stack=true");
        Process child = command.start();
        try {
            assertThat(child.inputReader().lines())
                    .containsExactly(
                            "not open: cannot listen on [::1]:10249: cannot listen on [::1]:10249: there was no IPv6 when"
                                    + " this process started",
                            "started");
            assertThat(child.waitFor()).isZero();
        } finally {
            child.toHandle().destroyForcibly();
        }
    }
}
