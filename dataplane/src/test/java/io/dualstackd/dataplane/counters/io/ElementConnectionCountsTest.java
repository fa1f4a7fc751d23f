package io.dualstackd.dataplane.counters.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.NetNsCommands;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters of elements, in nftables mode. */
@Tag("kernel")
final class ElementConnectionCountsTest extends ConnectionCountsContract {
    @Override
    Counted counted(IpFamily of) {
        NftablesSyncer syncer = NftablesSyncer.of(of, () -> NlSocket.open(NlProtocol.NETFILTER, ns));
        return new Counted(
                new ViewSyncer(syncer), new ElementConnectionCounts(of, NetlinkSockets.of(ns), syncer.counters()));
    }

    /** A packet that is dropped while the counters are read may be counted where it is dropped only. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void connectionsDoNotBecomeFewer(IpFamily of) throws Exception {
        start(of);
        run(one(outside(true).externalLocal().view()));
        connect(own(), NODE_PORT, 3);
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(3, 0, 0));

        dropped(2);
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(3, 0, 2));
        connect(own(), NODE_PORT, 4);
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(5, 0, 2));

        run(Map.of(outside(true).view().key(), Optional.empty()));
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(0, 0, 0));
    }

    /** The counter of what is dropped at the node port is ahead of the one of what came there. */
    private void dropped(int packets) throws Exception {
        String set = (family() == IpFamily.IPV4 ? "ip" : "ip6") + " dualstackd drop-node-ports { tcp . " + NODE_PORT;
        new NetNsCommands(ns)
                .feed(
                        "delete element " + set + " }\nadd element " + set + " counter packets " + packets
                                + " bytes 100 }\n",
                        "nft",
                        "-f",
                        "-");
        refresh();
    }
}
