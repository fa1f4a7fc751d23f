package io.dualstackd.dataplane.counters.io;

import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.io.ipvs.IpvsSyncer;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.IpvsClient;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The statistics of virtual servers. Run by hand, inside a kernel that has IPVS; named so that a build elsewhere leaves it out. */
public final class IpvsConnectionCountsInVm extends ConnectionCountsContract {
    @Override
    Counted counted(IpFamily of) {
        IpvsSyncer syncer = IpvsSyncer.of(
                of,
                () -> NlSocket.open(NlProtocol.NETFILTER, ns),
                new Generations(),
                new RuleSetGate(),
                ns,
                IpvsSettings.USUAL);
        return new Counted(
                new ViewSyncer(syncer), syncer.counts(of, NetlinkSockets.of(ns)).orElseThrow());
    }

    /** The kernel sums up its statistics every two seconds, and shows the last sum. */
    public static void awaitStatistics() {
        await().pollDelay(Duration.ofMillis(2_500)).until(() -> true);
    }

    @Override
    void refresh() {
        awaitStatistics();
        super.refresh();
    }

    /** They meet no rule, and IPVS does not count what it rejects. */
    @Override
    long lostOfTheNode(long attempts) {
        return 0;
    }

    /** Virtual servers begin at zero. */
    @Override
    long afterFlushAndRestart(long all, long sinceThen) {
        return sinceThen;
    }

    @Override
    void flush() throws Exception {
        super.flush();
        try (IpvsClient kernel = IpvsClient.open(ns).orElseThrow()) {
            List<IpvsChange> changes = new ArrayList<>();
            for (IpvsService.Listed each : kernel.services()) {
                changes.add(new IpvsChange.DeleteService(each.service().key()));
            }
            List<IpvsClient.Refused> ignored = kernel.apply(changes);
        }
    }
}
