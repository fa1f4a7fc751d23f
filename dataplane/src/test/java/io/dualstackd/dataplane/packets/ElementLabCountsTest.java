package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.counters.io.ElementConnectionCounts;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import org.junit.jupiter.api.Tag;

/** What the elements of nftables mode count. */
@Tag("kernel")
final class ElementLabCountsTest extends LabCountsContract {
    @Override
    Counted counted(IpFamily family, NetNs node) {
        NftablesSyncer syncer = NftablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, node));
        return new Counted(syncer, new ElementConnectionCounts(family, NetlinkSockets.of(node), syncer.counters()));
    }
}
