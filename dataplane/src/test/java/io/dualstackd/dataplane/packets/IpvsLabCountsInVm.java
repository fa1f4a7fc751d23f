package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.io.IpvsConnectionCountsInVm;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.io.ipvs.IpvsSyncer;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is counted in IPVS mode of clients elsewhere. Run by hand, inside a kernel that has IPVS. */
public final class IpvsCountsInVm extends CountsOfTheLabContract {
    @Override
    Counted counted(IpFamily family, NetNs node) {
        IpvsSyncer syncer = IpvsSyncer.of(
                family,
                () -> NlSocket.open(NlProtocol.NETFILTER, node),
                new Generations(),
                new RuleSetGate(),
                node,
                IpvsSettings.USUAL);
        return new Counted(
                syncer, syncer.counts(family, NetlinkSockets.of(node)).orElseThrow());
    }

    @Override
    void settle() {
        IpvsConnectionCountsInVm.awaitStatistics();
    }

    /** Pods bypass the policy through the ClusterIP, and are counted there; what the node itself sends in vain meets no rule. */
    @Override
    @ParameterizedTest
    @EnumSource(LabMap.class)
    void byWhatHappensToThem(LabMap map) throws Exception {
        try (Lab lab = Lab.open();
                Counting counting = new Counting(lab, map, counted(map.family(), lab.node()))) {
            NodeView node = map.nodeGiven().podsIn(map.pods().toString()).view();
            counting.run(node, Services.on(map, outside(map), "R1").view());
            counting.send(Sender.CLIENT, map.externalIp(1), 80, 3, PATIENCE);
            counting.send(Sender.POD, map.externalIp(1), 80, 2, ENOUGH);
            counting.send(Sender.CLIENT, map.node(), NODE_PORT, 4, PATIENCE);
            counting.send(Sender.POD, map.clusterIp(1), 80, 1, ENOUGH);
            ConnectionCounts counts = counting.read();
            assertThat(counts.external(map.externalIp(1), Proto.UDP, 80)).isEqualTo(new Attempts(0, 0, 3));
            assertThat(counts.nodePort(Proto.UDP, NODE_PORT)).isEqualTo(new Attempts(0, 0, 4));
            assertThat(counts.clusterIp(map.clusterIp(1), Proto.UDP, 80)).isEqualTo(new Attempts(3, 0, 0));
            assertThat(counts.total()).isEqualTo(new Attempts(3, 0, 7));

            counting.run(node, outside(map).view());
            counting.send(Sender.CLIENT, map.externalIp(1), 80, 2, ENOUGH);
            counting.send(Sender.POD, map.node(), NODE_PORT, 1, ENOUGH);
            counting.send(Sender.POD, map.clusterIp(1), 80, 3, ENOUGH);
            counts = counting.read();
            assertThat(counts.external(map.externalIp(1), Proto.UDP, 80)).isEqualTo(new Attempts(0, 2, 3));
            assertThat(counts.nodePort(Proto.UDP, NODE_PORT)).isEqualTo(new Attempts(0, 1, 4));
            assertThat(counts.clusterIp(map.clusterIp(1), Proto.UDP, 80)).isEqualTo(new Attempts(3, 3, 0));
        }
    }

    /** One rule drops what is forbidden at all addresses of a Service. */
    @Override
    @ParameterizedTest
    @EnumSource(LabMap.class)
    void forbiddenSourcesAreDropped(LabMap map) throws Exception {
        try (Lab lab = Lab.open();
                Counting counting = new Counting(lab, map, counted(map.family(), lab.node()))) {
            NodeView node = map.nodeGiven().podsIn(map.pods().toString()).view();
            counting.run(node, Services.on(map, ranged(map), "R1").view());
            counting.send(Sender.CLIENT, map.vip(1), 80, 2, ENOUGH);
            counting.send(Sender.OTHER_CLIENT, map.vip(1), 80, 3, PATIENCE);
            assertThat(counting.read().external(map.vip(1), Proto.UDP, 80)).isEqualTo(new Attempts(2, 0, 0));
        }
    }
}
