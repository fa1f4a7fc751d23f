package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The counters of rules, in iptables mode. */
@Tag("kernel")
final class RuleConnectionCountsTest extends RuleConnectionCountsContract {
    @Override
    Counted counted(IpFamily of) {
        IptablesSyncer syncer = IptablesSyncer.of(of, () -> NlSocket.open(NlProtocol.NETFILTER, ns));
        return new Counted(
                new ViewSyncer(syncer),
                RuleConnectionCounts.of(
                        of, NetlinkSockets.of(ns), syncer.counters().orElseThrow()));
    }

    @Override
    String variant() {
        return "nft";
    }

    @Override
    void invalidate(String chain) {
        syncer().invalidate(
                        Set.of(new ChangedObject.InRules(new TableName(NftFamily.of(family()), "nat").chain(chain))));
    }
}
