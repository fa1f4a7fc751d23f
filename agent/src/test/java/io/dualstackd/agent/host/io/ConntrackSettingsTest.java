package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.dualstackd.agent.config.Conntrack;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a namespace of the test's own. */
@Tag("kernel")
final class ConntrackSettingsTest {
    private static final String CLOSE_WAIT = "net/netfilter/nf_conntrack_tcp_timeout_close_wait";
    private static final String ESTABLISHED = "net/netfilter/nf_conntrack_tcp_timeout_established";
    private static final String LIBERAL = "net/netfilter/nf_conntrack_tcp_be_liberal";

    private static Conntrack timeouts(int maxPerCore, boolean liberal) {
        return new Conntrack(
                maxPerCore, 1, Duration.ofHours(2), Duration.ofMinutes(5), liberal, Duration.ZERO, Duration.ZERO);
    }

    private static List<String> apply(NetNs ns, Conntrack wanted, int cores) throws Exception {
        ConntrackSettings.Outcome outcome = ConntrackSettings.apply(KernelSettings.of(ns), wanted, cores, key -> true);
        assertThat(outcome.complete()).isTrue();
        assertThat(outcome.unmet()).isEmpty();
        return outcome.notes();
    }

    @Test
    void setsOnlyRequestedValues() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            String max = Sysctl.read(ns, Conntrack.MAX);
            String udp = Sysctl.read(ns, "net/netfilter/nf_conntrack_udp_timeout");
            assertThat(apply(ns, timeouts(0, true), 2)).isEmpty();
            assertThat(Sysctl.read(ns, CLOSE_WAIT)).isEqualTo("300");
            assertThat(Sysctl.read(ns, ESTABLISHED)).isEqualTo("7200");
            assertThat(Sysctl.read(ns, LIBERAL)).isEqualTo("1");
            assertThat(Sysctl.read(ns, "net/netfilter/nf_conntrack_udp_timeout"))
                    .isEqualTo(udp);
            assertThat(Sysctl.read(ns, Conntrack.MAX)).isEqualTo(max);
            // A "liberal" that an admin has set stays.
            assertThat(apply(ns, timeouts(0, false), 2)).isEmpty();
            assertThat(Sysctl.read(ns, LIBERAL)).isEqualTo("1");
        }
    }

    @Test
    void theHostsLimitIsNotANamespacesToSetAndNoReasonToStop() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            String max = Sysctl.read(ns, Conntrack.MAX);
            assertThat(apply(ns, timeouts(54_321, false), 1))
                    .singleElement(STRING)
                    .startsWith("cannot set net.netfilter.nf_conntrack_max to 54321: permission denied");
            assertThat(Sysctl.read(ns, Conntrack.MAX)).isEqualTo(max);
            assertThat(Sysctl.read(ns, CLOSE_WAIT)).isEqualTo("300");
        }
    }

    @Test
    void refusalAdvisesWhatToDo() {
        assertThat(ConntrackSettings.refusal(
                        CLOSE_WAIT, "300", new FileSystemException("f", null, "Read-only file system")))
                .isEqualTo(
                        "cannot set net.netfilter.nf_conntrack_tcp_timeout_close_wait to 300: /proc/sys is mounted"
                                + " read-only, as in containers that are not privileged; set it on the host, or"
                                + " conntrack.tcpCloseWaitTimeout (--conntrack-tcp-timeout-close-wait) to 0 to leave it as it is");
        assertThat(ConntrackSettings.refusal(LIBERAL, "1", new AccessDeniedException("f")))
                .contains("permission denied", "conntrack.tcpBeLiberal (--conntrack-tcp-be-liberal) to false");
    }
}
