package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On a real kernel: it refuses to delete a chain that a rule of another program jumps to. */
@Tag("kernel")
final class JumpOfOthersTest {
    /** Refused transactions until the chains at fault are known, and one more. */
    private static final int SYNCS = 6;

    private static ViewSyncer pass(IpFamily family, NetNs ns) {
        return new ViewSyncer(IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    private static SyncResult inForce(
            ViewSyncer syncer, NodeView node, Map<ServiceKey, Optional<ServiceView>> changed) {
        SyncResult report = syncer.run(node, changed);
        for (int sync = 1; sync < SYNCS && report.needsRetry(); sync++) {
            report = syncer.run(node, Map.of());
        }
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).isEmpty();
        return report;
    }

    private static List<String> chains(String ruleset, String prefix) {
        return ruleset.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("chain " + prefix))
                .map(line -> line.substring("chain ".length(), line.length() - " {".length()))
                .toList();
    }

    /** The chain stays, but packets that the other program sends there do not meet the endpoints of a Service that is gone. */
    @ParameterizedTest
    @EnumSource
    void theChainOfServiceThatIsGoneIsEmptied(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        ServiceView service = Samples.service(family, 0, 2);
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(family, ns)) {
            NetNsCommands commands = new NetNsCommands(ns);
            inForce(syncer, node, Map.of(service.key(), Optional.of(service)));
            List<String> found = chains(commands.ruleset(), "KUBE-SVC-");
            assertThat(found).hasSize(1);
            String chain = found.getFirst();
            String nat = NftFamily.of(family) + " nat";
            commands.run("nft", "add rule " + nat + " PREROUTING tcp dport 7 jump " + chain);

            assertThat(inForce(syncer, node, Map.of(service.key(), Optional.empty()))
                            .emptied())
                    .containsExactly(new ChainId(Table.NAT, chain));
            assertThat(syncer.run(node, Map.of()).emptied()).hasSize(1);
            assertThat(commands.ruleset()).doesNotContain("dnat to");
            assertThat(commands.run("nft", "list chain " + nat + " " + chain)).doesNotContain("jump");
            assertThat(chains(commands.ruleset(), "KUBE-SEP-")).isEmpty();

            assertThat(inForce(syncer, node, Map.of(service.key(), Optional.of(service)))
                            .emptied())
                    .isEmpty();
            assertThat(commands.run("nft", "list chain " + nat + " " + chain)).contains("jump KUBE-SEP-");
        }
    }

    /** The chain under its new name is left alone, because nothing proves that it is ours; its jumps lead to nothing. */
    @ParameterizedTest
    @EnumSource
    void aRenamedChainDoesNotServeWhatIsGone(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        ServiceView first = Samples.service(family, 0, 2);
        ServiceView second = Samples.service(family, 1, 2);
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(family, ns)) {
            NetNsCommands commands = new NetNsCommands(ns);
            inForce(syncer, node, Map.of(first.key(), Optional.of(first)));
            commands.run("nft", "rename chain " + NftFamily.of(family) + " nat KUBE-SERVICES OTHERS");
            inForce(syncer, node, Map.of(second.key(), Optional.of(second)));
            assertThat(commands.ruleset()).contains("chain KUBE-SERVICES", "jump OTHERS");

            inForce(syncer, node, Map.of(first.key(), Optional.empty(), second.key(), Optional.empty()));
            assertThat(commands.ruleset()).contains("chain OTHERS").doesNotContain("dnat to");
        }
    }
}
