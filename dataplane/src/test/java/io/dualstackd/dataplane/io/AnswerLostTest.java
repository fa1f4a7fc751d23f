package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel commits a transaction, and its answer gets lost: no reconciler accounts for the generation. */
@Tag("kernel")
class AnswerLostTest {
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);
    /** {@code NFNL_MSG_BATCH_BEGIN}. */
    private static final int BATCH_BEGIN = 0x10;

    private boolean losing;

    /** Loses the answer to the next batch when told so. */
    private final class Forgetful extends ForwardingTransport {
        private boolean lost;

        Forgetful(NlTransport transport) {
            super(transport);
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            lost = losing && writer.message(0).type() == BATCH_BEGIN;
            super.send(writer);
        }

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            if (lost) {
                losing = false;
                throw new NetlinkException.AnswerLost("test");
            }
            return super.receive(timeout);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NFTABLES", "IPTABLES"})
    void whatOthersChangeAfterwardsIsToldApart(ProxyMode mode) throws Exception {
        Generations generations = new Generations();
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = new ViewSyncer(syncer(mode, ns, generations))) {
            ServiceView before = Samples.service(IpFamily.IPV4, 1, 1);
            ServiceView after = Samples.service(IpFamily.IPV4, 1, 2);
            Map<ServiceKey, Optional<ServiceView>> changed = Map.of(after.key(), Optional.of(after));
            assertThat(syncer.run(NODE, Map.of(before.key(), Optional.of(before)))
                            .result())
                    .isEqualTo(new Result.InForce());
            generations.accountFrom(generation(ns));
            losing = true;
            assertThat(syncer.run(NODE, changed).result()).isInstanceOf(Result.Unreachable.class);
            assertThat(syncer.run(NODE, Map.of())).satisfies(report -> {
                assertThat(report.result()).isEqualTo(new Result.InForce());
                assertThat(report.ops()).as("it was committed").isZero();
            });
            for (int change = 0; change < 3; change++) {
                new NetNsCommands(ns).run("nft", "add", "table", "ip", "of-others-" + change);
                // As the watcher does.
                generations.account(generation(ns));
                assertThat(syncer.changedByOthers()).isFalse();
            }
        }
    }

    private Syncer syncer(ProxyMode mode, NetNs ns, Generations generations) {
        NetlinkKernel.Open open = () -> new Forgetful(NlSocket.open(NlProtocol.NETFILTER, ns));
        return mode == ProxyMode.NFTABLES
                ? NftablesSyncer.of(
                        TableForm.plain(IpFamily.IPV4), open, generations, new RuleSetGate(), Optional.empty())
                : IptablesSyncer.of(IpFamily.IPV4, open, generations, new RuleSetGate());
    }

    private static int generation(NetNs ns) throws NetlinkException {
        try (NftClient kernel = NftClient.open(ns)) {
            return kernel.generation().id();
        }
    }
}
