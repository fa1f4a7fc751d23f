package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.io.IpvsConnectionCountsInVm;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.io.ipvs.IpvsSyncer;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts of the traffic of remote clients in IPVS mode. Run by hand, inside a kernel that has IPVS. */
public final class IpvsLabCountsInVm extends LabCountsContract {
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
    void awaitCounters() {
        IpvsConnectionCountsInVm.awaitStatistics();
    }

    @Override
    boolean countsPodsAtClusterIp() {
        return true;
    }

    /** One rule drops what is forbidden at all addresses of a Service, so it is not counted by address. */
    @Override
    @ParameterizedTest
    @EnumSource(LabMap.class)
    void forbiddenSourcesAreDropped(LabMap map) throws Exception {
        try (Lab lab = Lab.open();
                Counting counting = new Counting(lab, map, counted(map.family(), lab.node()))) {
            counting.sendFromAllowedAndForbidden();
            assertThat(counting.read().external(map.vip(1), Proto.UDP, 80)).isEqualTo(new Attempts(2, 0, 0));
        }
    }
}
