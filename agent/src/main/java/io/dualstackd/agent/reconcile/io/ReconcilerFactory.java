package io.dualstackd.agent.reconcile.io;

import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.io.ElementConnectionCounts;
import io.dualstackd.dataplane.counters.io.NfacctCounters;
import io.dualstackd.dataplane.counters.io.RuleConnectionCounts;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.checkpoint.CheckpointFile;
import io.dualstackd.dataplane.io.ipvs.IpvsSyncer;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.OwnedIptablesObjects;
import io.dualstackd.dataplane.watch.OwnedObjects;
import io.dualstackd.dataplane.watch.OwnedTable;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.util.Optional;

/** Makes the parts of a family's reconciler for the configured mode. */
public final class ReconcilerFactory {
    /**
     * The time to wait for the xtables lock. Loading ten thousand rules with the tools holds it longer; the reconciler then reports that it
     * waits, and tries again.
     */
    public static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration LOOK_PERIOD = Duration.ofSeconds(1);

    private ReconcilerFactory() {}

    /** @param open opens the connection to nf_tables; not used with iptables legacy */
    public static Syncer syncer(
            IpFamily family, DaemonSettings settings, NetlinkKernel.Open open, RuleSetWatcher watch) {
        return switch (settings.mode()) {
            case IPTABLES -> {
                IptablesSyncer iptables = switch (settings.variant()) {
                    case NF_TABLES -> IptablesSyncer.of(family, open, watch.generations(), watch.ruleSetGate());
                    case LEGACY ->
                        IptablesSyncer.ofLegacy(
                                family,
                                () -> XtTableClient.open(family, settings.ns()),
                                XtablesLock.ofHost(LOCK_TIMEOUT));
                };
                yield settings.node().nfacct()
                        ? iptables.countingAt(new NfacctCounters(NetlinkSockets.of(settings.ns())))
                        : iptables;
            }
            case NFTABLES ->
                NftablesSyncer.of(
                        new TableForm(family, settings.endpointCounters()),
                        open,
                        watch.generations(),
                        watch.ruleSetGate(),
                        settings.state()
                                .map(state -> CheckpointFile.in(
                                        state,
                                        family,
                                        settings.ns(),
                                        problem -> ReconcilerLog.checkpoint(family, problem))));
            case IPVS ->
                IpvsSyncer.of(family, open, watch.generations(), watch.ruleSetGate(), settings.ns(), settings.ipvs());
        };
    }

    /** The connection counts of a family; empty in modes without them. */
    public static Optional<ConnectionCounts> counts(
            IpFamily family, Syncer syncer, DaemonSettings settings, NetlinkSockets sockets) {
        return switch (syncer) {
            case NftablesSyncer nftables ->
                Optional.of(
                        new ElementConnectionCounts(family, sockets, nftables.counters(), nftables.endpointCounters()));
            case IptablesSyncer iptables ->
                iptables.counters()
                        .map(counters -> settings.variant() == IptablesVariant.LEGACY
                                ? RuleConnectionCounts.ofLegacy(family, settings.ns(), counters)
                                : RuleConnectionCounts.of(family, sockets, counters));
            case IpvsSyncer ipvs -> ipvs.counts(family, sockets);
            default -> Optional.empty();
        };
    }

    /** The intervals of a reconciler. Without notifications of changes, as in iptables legacy, it looks often, which is cheap there. */
    public static SyncIntervals intervals(DaemonSettings settings) {
        SyncIntervals intervals = settings.intervals();
        boolean mustLook = settings.mode() == ProxyMode.IPTABLES
                && settings.variant() == IptablesVariant.LEGACY
                && intervals.lookPeriod().compareTo(LOOK_PERIOD) > 0;
        return mustLook ? new SyncIntervals(intervals.minGap(), LOOK_PERIOD, intervals.heartbeat()) : intervals;
    }

    /** @param sockets of the namespace whose connections are swept */
    public static StaleFlowSweep sweep(IpFamily family, DaemonSettings settings, NetlinkSockets sockets) {
        return new StaleFlowSweep(family, () -> ConntrackClient.open(sockets), settings.drainTcpAfter());
    }

    /** The objects of the kernel whose external changes are repaired. */
    public static OwnedObjects ownedObjects(IpFamily family, DaemonSettings settings) {
        return switch (settings.mode()) {
            case IPTABLES ->
                switch (settings.variant()) {
                    case NF_TABLES -> new OwnedIptablesObjects(family);
                    case LEGACY -> OwnedObjects.NOTHING;
                };
            case IPVS -> new OwnedIptablesObjects(family);
            case NFTABLES -> new OwnedTable(TableSets.name(family));
        };
    }
}
