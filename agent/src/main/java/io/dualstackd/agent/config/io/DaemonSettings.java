package io.dualstackd.agent.config.io;

import io.dualstackd.agent.app.Daemon;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.pages.health.ProxyAddresses;
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
 * @param endpointCounters whether the kernel counts the connections of each endpoint, in nftables mode
 * @param externalIps whether Services are served on their external IPs
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
        boolean endpointCounters,
        boolean externalIps,
        Optional<Duration> drainTcpAfter,
        Map<IpFamily, String> missing,
        IpvsSettings ipvs,
        IptablesVariant variant,
        Optional<LedgerSettings> ledger,
        Optional<DnsSettings> dns) {
    public DaemonSettings {
        missing = Map.copyOf(missing);
    }

    /** A builder whose daemon leaves nothing on disk, serves no HTTP, follows no container runtime and takes Services as they are written. */
    public static Builder builder(
            ProxyMode mode, SourceSettings source, NetNs ns, NodeSettings node, SyncIntervals intervals) {
        return new Builder(mode, source, ns, node, intervals);
    }

    /** A builder with these settings. */
    public Builder toBuilder() {
        return builder(mode, source, ns, node, intervals)
                .state(state)
                .endpoints(endpoints)
                .pods(pods)
                .endpointCounters(endpointCounters)
                .externalIps(externalIps)
                .drainTcpAfter(drainTcpAfter)
                .missing(missing)
                .ipvs(ipvs)
                .variant(variant)
                .ledger(ledger)
                .dns(dns);
    }

    /** The IP families that the host has. */
    public Set<IpFamily> families() {
        Set<IpFamily> families = EnumSet.allOf(IpFamily.class);
        families.removeAll(missing.keySet());
        return families;
    }

    /** Builds settings; its methods are named after the components. Used by one thread. */
    public static final class Builder {
        private final ProxyMode mode;
        private final SourceSettings source;
        private final NetNs ns;
        private NodeSettings node;
        private final SyncIntervals intervals;
        private Optional<Path> state = Optional.empty();
        private ProxyAddresses endpoints = ProxyAddresses.NONE;
        private PodSettings pods = PodSettings.NONE;
        private boolean endpointCounters;
        private boolean externalIps = true;
        private Optional<Duration> drainTcpAfter = Optional.empty();
        private Map<IpFamily, String> missing = Map.of();
        private IpvsSettings ipvs = IpvsSettings.USUAL;
        private IptablesVariant variant = IptablesVariant.NF_TABLES;
        private Optional<LedgerSettings> ledger = Optional.empty();
        private Optional<DnsSettings> dns = Optional.empty();

        private Builder(ProxyMode mode, SourceSettings source, NetNs ns, NodeSettings node, SyncIntervals intervals) {
            this.mode = mode;
            this.source = source;
            this.ns = ns;
            this.node = node;
            this.intervals = intervals;
        }

        public Builder node(NodeSettings value) {
            node = value;
            return this;
        }

        public Builder state(Optional<Path> value) {
            state = value;
            return this;
        }

        public Builder endpoints(ProxyAddresses value) {
            endpoints = value;
            return this;
        }

        public Builder pods(PodSettings value) {
            pods = value;
            return this;
        }

        public Builder endpointCounters(boolean value) {
            endpointCounters = value;
            return this;
        }

        public Builder externalIps(boolean value) {
            externalIps = value;
            return this;
        }

        public Builder drainTcpAfter(Optional<Duration> value) {
            drainTcpAfter = value;
            return this;
        }

        public Builder missing(Map<IpFamily, String> value) {
            missing = value;
            return this;
        }

        public Builder ipvs(IpvsSettings value) {
            ipvs = value;
            return this;
        }

        public Builder variant(IptablesVariant value) {
            variant = value;
            return this;
        }

        public Builder ledger(Optional<LedgerSettings> value) {
            ledger = value;
            return this;
        }

        public Builder dns(Optional<DnsSettings> value) {
            dns = value;
            return this;
        }

        public DaemonSettings build() {
            return new DaemonSettings(
                    mode,
                    source,
                    state,
                    ns,
                    node,
                    intervals,
                    endpoints,
                    pods,
                    endpointCounters,
                    externalIps,
                    drainTcpAfter,
                    missing,
                    ipvs,
                    variant,
                    ledger,
                    dns);
        }
    }
}
