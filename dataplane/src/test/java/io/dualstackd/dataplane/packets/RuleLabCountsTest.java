package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.counters.io.RuleConnectionCounts;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import org.junit.jupiter.api.Tag;

/** What the rules of iptables mode count. */
@Tag("kernel")
final class RuleLabCountsTest extends LabCountsContract {
    @Override
    Counted counted(IpFamily family, NetNs node) {
        IptablesSyncer syncer = IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, node));
        return new Counted(
                syncer,
                RuleConnectionCounts.of(
                        family, NetlinkSockets.of(node), syncer.counters().orElseThrow()));
    }
}
