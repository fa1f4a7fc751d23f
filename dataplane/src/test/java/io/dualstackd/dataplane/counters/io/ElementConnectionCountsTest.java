package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import org.junit.jupiter.api.Tag;

/** The counters of elements, in nftables mode. */
@Tag("kernel")
final class ElementConnectionCountsTest extends ConnectionCountsContract {
    @Override
    Counted counted(IpFamily of) {
        NftablesSyncer syncer = NftablesSyncer.of(of, () -> NlSocket.open(NlProtocol.NETFILTER, ns));
        return new Counted(
                new ViewSyncer(syncer), new ElementConnectionCounts(of, NetlinkSockets.of(ns), syncer.counters()));
    }
}
