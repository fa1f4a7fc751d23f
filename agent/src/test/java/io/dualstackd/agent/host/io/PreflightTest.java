package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.io.ipvs.IpvsSupport;
import io.dualstackd.netlink.io.Answers;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.ScriptedKernel;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.SysException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("kernel")
final class PreflightTest {
    private static Preflight.Opener refusing(Errno errno) {
        return () -> new NftClient(new NetlinkConnection(new ScriptedKernel(
                sent -> List.of(Answers.refusal(sent.getFirst().sequence(), errno)))));
    }

    @Test
    void noProblemsOnThisHost() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            assertThat(Preflight.problem(ns)).isEmpty();
        }
    }

    /** Not every kernel that runs this has it. */
    @Test
    void detectsKernelWithoutIpvs() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            assertThat(IpvsSupport.problem(ns, "rr").orElse("CONFIG_IP_VS nftables"))
                    .contains("CONFIG_IP_VS", "nftables")
                    .doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"22, load the module nf_tables", "95, load the module nf_tables", "1, CAP_NET_ADMIN"})
    void reportsWhyNetfilterIsUnavailable(int errno, String advice) {
        assertThat(Preflight.problem(refusing(new Errno(errno))))
                .hasValueSatisfying(line -> assertThat(line)
                        .contains(advice, new Errno(errno).toString())
                        .doesNotContain("\n"));
    }

    @Test
    void aKernelWithoutNetfilterNetlink() {
        Preflight.Opener opener = () -> {
            throw new NetlinkException.Failed("open", new SysException("open netlink socket", Errno.EPROTONOSUPPORT));
        };
        assertThat(Preflight.problem(opener))
                .hasValueSatisfying(line -> assertThat(line)
                        .contains("EPROTONOSUPPORT", "CONFIG_NETFILTER_NETLINK")
                        .doesNotContain("\n"));
    }
}
