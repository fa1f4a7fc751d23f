package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules that are read before it is known what is wanted: used if they are still right, read again if not. */
@Tag("kernel")
final class ReadAheadTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;
    private static final NodeView NODE = Samples.node(FAMILY);

    @ParameterizedTest
    @EnumSource(names = {"NFTABLES", "IPTABLES"})
    void theFirstSyncReadsNothing(ProxyMode mode) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer first = new ViewSyncer(syncer(mode, socket(ns)))) {
            inForce(first.run(NODE, services(5)));
            CountingLists lists = new CountingLists(socket(ns));
            Syncer syncer = syncer(mode, lists);
            try (ViewSyncer restarted = new ViewSyncer(syncer)) {
                syncer.readAhead();
                assertThat(lists.take()).isPositive();
                SyncResult result = inForce(restarted.run(NODE, services(5)));
                assertThat(result.comparedAll()).isTrue();
                assertThat(result.messages()).isZero();
                assertThat(lists.take()).isZero();

                // What was read is known to be right, so a later change is sent as one.
                assertThat(inForce(restarted.run(NODE, services(6))).messages()).isPositive();
                assertThat(lists.take()).isZero();
            }
        }
    }

    /** Differences from what is wanted are written by a transaction that relies on what was read ahead. */
    @ParameterizedTest
    @EnumSource(names = {"NFTABLES", "IPTABLES"})
    void differencesAreWritten(ProxyMode mode) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer first = new ViewSyncer(syncer(mode, socket(ns)))) {
            inForce(first.run(NODE, services(5)));
            Syncer syncer = syncer(mode, socket(ns));
            try (ViewSyncer restarted = new ViewSyncer(syncer);
                    ViewSyncer again = new ViewSyncer(syncer(mode, socket(ns)))) {
                syncer.readAhead();
                assertThat(inForce(restarted.run(NODE, services(7))).messages()).isPositive();
                assertThat(inForce(again.run(NODE, services(7))).messages()).isZero();
            }
        }
    }

    /** Without a watcher of notifications nothing tells whether another program changed our rules or only its own. */
    @ParameterizedTest
    @CsvSource({
        "NFTABLES, delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }",
        "NFTABLES, flush ruleset",
        "NFTABLES, add table ip stranger",
        "IPTABLES, flush chain ip nat KUBE-SERVICES",
        "IPTABLES, flush ruleset",
        "IPTABLES, add table ip stranger",
    })
    void rereadsOutdatedState(ProxyMode mode, String script) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer first = new ViewSyncer(syncer(mode, socket(ns)))) {
            inForce(first.run(NODE, services(5)));
            CountingLists lists = new CountingLists(socket(ns));
            Syncer syncer = syncer(mode, lists);
            try (ViewSyncer restarted = new ViewSyncer(syncer);
                    ViewSyncer again = new ViewSyncer(syncer(mode, socket(ns)))) {
                syncer.readAhead();
                lists.take();
                new NetNsCommands(ns).feed(script, "nft", "-f", "-");
                inForce(restarted.run(NODE, services(5)));
                assertThat(lists.take()).isPositive();
                assertThat(inForce(again.run(NODE, services(5))).messages()).isZero();
            }
        }
    }

    private static NlTransport socket(NetNs ns) throws NetlinkException {
        return NlSocket.open(NlProtocol.NETFILTER, ns);
    }

    private static Syncer syncer(ProxyMode mode, NlTransport transport) {
        return mode == ProxyMode.NFTABLES
                ? NftablesSyncer.of(FAMILY, () -> transport)
                : IptablesSyncer.of(FAMILY, () -> transport);
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(int count) {
        return Samples.services(FAMILY, count);
    }

    private static SyncResult inForce(SyncResult result) {
        assertThat(result.result()).isEqualTo(new Result.InForce());
        return result;
    }

    /** Passes everything through and counts requests for tables, chains, rules, sets and elements. */
    private static final class CountingLists extends ForwardingTransport {
        private static final Set<Integer> LISTS = Set.of(
                NftMessageType.GET_TABLE,
                NftMessageType.GET_CHAIN,
                NftMessageType.GET_RULE,
                NftMessageType.GET_SET,
                NftMessageType.GET_ELEMENT);

        private int lists;

        CountingLists(NlTransport transport) {
            super(transport);
        }

        int take() {
            int taken = lists;
            lists = 0;
            return taken;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            lists += LISTS.contains(writer.message(0).type()) ? 1 : 0;
            super.send(writer);
        }
    }
}
