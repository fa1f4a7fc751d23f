package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Something is thrown in the middle of a list: the kernel goes on with it as long as its socket is there, and begins no other. */
@Tag("kernel")
class FirstReadAfterErrorTest {
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);

    private final OtherProgram.Meter meter = new OtherProgram.Meter();

    private void mistake() {
        meter.every(Integer.MAX_VALUE, () -> {});
        throw new IllegalStateException("a mistake of ours");
    }

    @ParameterizedTest
    @EnumSource(names = {"NFTABLES", "IPTABLES"})
    void theNextPassReadsAllTheSame(ProxyMode mode) throws Exception {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < 300; n++) {
            ServiceView view = Samples.service(IpFamily.IPV4, n, 5);
            all.put(view.key(), Optional.of(view));
        }
        try (NetNs ns = NetNs.create()) {
            NetlinkKernel.Open open =
                    () -> new OtherProgram.Interleaved(NlSocket.open(NlProtocol.NETFILTER, ns), meter);
            try (ViewSyncer syncer = new ViewSyncer(
                    mode == ProxyMode.NFTABLES
                            ? NftablesSyncer.of(
                                    TableForm.plain(IpFamily.IPV4),
                                    open,
                                    new Generations(),
                                    new RuleSetGate(),
                                    Optional.empty())
                            : IptablesSyncer.of(IpFamily.IPV4, open, new Generations(), new RuleSetGate()))) {
                assertThat(syncer.run(NODE, all).result()).isEqualTo(new Result.InForce());
                for (int datagram = 2; datagram < 20; datagram++) {
                    syncer.invalidateAll();
                    meter.after(datagram, this::mistake);
                    assertThatThrownBy(() -> syncer.run(NODE, Map.of())).hasMessage("a mistake of ours");
                    syncer.invalidateAll();
                    assertThat(syncer.run(NODE, Map.of()).result())
                            .as("thrown before datagram " + datagram)
                            .isEqualTo(new Result.InForce());
                }
            }
        }
    }
}
