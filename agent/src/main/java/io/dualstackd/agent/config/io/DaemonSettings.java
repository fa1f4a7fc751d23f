package io.dualstackd.agent.config.io;

import io.dualstackd.agent.app.Daemon;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.health.ProxyAddresses;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.standalone.ledger.LedgerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings with which a {@link Daemon} starts.
 *
 * @param mode how rules are written
 * @param source where objects come from
 * @param state folder the daemon may write to; empty: it leaves nothing on disk
 * @param ns the network namespace whose rules are programmed; the daemon does not close it
 * @param endpoints where the daemon serves its health and metrics over HTTP
 * @param drainTcpAfter how long TCP connections to endpoints that are gone may continue; empty for no limit
 * @param missing IP families this host does not have, and why; they are left out
 * @param ipvs how virtual servers are made, in IPVS mode
 * @param variant where iptables rules are kept, in iptables mode
 * @param ledger where addresses of Services are allocated from; empty: they are taken as they are written. Needs a {@code state}
 * @param dns how questions about names of Services are answered; empty: they are not
 */
public record DaemonSettings(
        ProxyMode mode,
        SourceSettings source,
        Optional<Path> state,
        NetNs ns,
        NodeSettings node,
        SyncIntervals intervals,
        ProxyAddresses endpoints,
        PodSettings pods,
        Optional<Duration> drainTcpAfter,
        Map<IpFamily, String> missing,
        IpvsSettings ipvs,
        IptablesVariant variant,
        Optional<LedgerSettings> ledger,
        Optional<DnsSettings> dns) {
    public DaemonSettings {
        missing = Map.copyOf(missing);
    }

    /** Services are taken as they are written; iptables rules are kept in nf_tables. */
    public DaemonSettings(
            ProxyMode mode,
            SourceSettings source,
            Optional<Path> state,
            NetNs ns,
            NodeSettings node,
            SyncIntervals intervals,
            ProxyAddresses endpoints,
            PodSettings pods,
            Optional<Duration> drainTcpAfter) {
        this(
                mode,
                source,
                state,
                ns,
                node,
                intervals,
                endpoints,
                pods,
                drainTcpAfter,
                Map.of(),
                IpvsSettings.USUAL,
                IptablesVariant.NF_TABLES,
                Optional.empty(),
                Optional.empty());
    }

    /** The same, but addresses are allocated for Services. */
    public DaemonSettings with(LedgerSettings settings) {
        return new DaemonSettings(
                mode,
                source,
                state,
                ns,
                node,
                intervals,
                endpoints,
                pods,
                drainTcpAfter,
                missing,
                ipvs,
                variant,
                Optional.of(settings),
                dns);
    }

    /** The same, with these settings of virtual servers. */
    public DaemonSettings with(IpvsSettings servers) {
        return new DaemonSettings(
                mode,
                source,
                state,
                ns,
                node,
                intervals,
                endpoints,
                pods,
                drainTcpAfter,
                missing,
                servers,
                variant,
                ledger,
                dns);
    }

    /** The same, but questions about names of Services are answered. */
    public DaemonSettings with(DnsSettings settings) {
        return new DaemonSettings(
                mode,
                source,
                state,
                ns,
                node,
                intervals,
                endpoints,
                pods,
                drainTcpAfter,
                missing,
                ipvs,
                variant,
                ledger,
                Optional.of(settings));
    }

    /** The same, with this variant of iptables. */
    public DaemonSettings in(IptablesVariant place) {
        return new DaemonSettings(
                mode,
                source,
                state,
                ns,
                node,
                intervals,
                endpoints,
                pods,
                drainTcpAfter,
                missing,
                ipvs,
                place,
                ledger,
                dns);
    }

    /** The same, but without these families. */
    public DaemonSettings without(Map<IpFamily, String> families) {
        return new DaemonSettings(
                mode,
                source,
                state,
                ns,
                node,
                intervals,
                endpoints,
                pods,
                drainTcpAfter,
                families,
                ipvs,
                variant,
                ledger,
                dns);
    }

    /** The IP families that the host has. */
    public Set<IpFamily> families() {
        Set<IpFamily> families = EnumSet.allOf(IpFamily.class);
        families.removeAll(missing.keySet());
        return families;
    }
}
