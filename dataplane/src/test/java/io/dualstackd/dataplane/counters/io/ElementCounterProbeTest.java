package io.dualstackd.dataplane.counters.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome.Problem;
import io.dualstackd.netlink.io.Refusal;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftGeneration;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether the kernel counts at elements is found out without a change of its rules. */
@Tag("kernel")
final class ElementCounterProbeTest {
    private static Problem problem(int index, Errno errno) {
        return new Problem(index, "add", Refusal.of(index, errno));
    }

    @Test
    void thisKernelHasThem() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                NftClient kernel = NftClient.open(ns)) {
            NftGeneration before = kernel.generation();
            assertThat(ElementCounterProbe.unavailable(NetlinkSockets.of(ns))).isEmpty();
            assertThat(kernel.generation().id()).isEqualTo(before.id());
            assertThat(new NetNsCommands(ns).ruleset()).isEmpty();
        }
    }

    @Test
    void aRequestThatFailsAsAWholeDecidesNothing() {
        assertThat(ElementCounterProbe.judge(List.of(problem(0, Errno.EPERM)), 1, 2, 3))
                .isEmpty();
        assertThat(ElementCounterProbe.judge(List.of(), 1, 2, 3)).isEmpty();
    }

    @Test
    void aKernelThatTakesAWrongExpressionIgnoresTheRightOne() {
        Problem missing = problem(3, Errno.ENOENT);
        assertThat(ElementCounterProbe.judge(List.of(missing), 1, 2, 3))
                .contains("the kernel has no counters at elements of maps");
        assertThat(ElementCounterProbe.judge(List.of(problem(2, Errno.EOPNOTSUPP), missing), 1, 2, 3))
                .isEmpty();
        assertThat(ElementCounterProbe.judge(
                        List.of(problem(1, Errno.ENOENT), problem(2, Errno.EOPNOTSUPP), missing), 1, 2, 3))
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("the kernel has no counters at elements of maps: ")
                        .contains("ENOENT"));
    }
}
