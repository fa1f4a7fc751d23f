package io.dualstackd.agent.config;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ipvs.IpvsTimeouts;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.nodeaddr.NodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.pages.health.ProxyAddresses;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of the daemon, complete and checked.
 *
 * @param mode how rules are written
 * @param variant where iptables rules are kept; empty: where this host keeps its own
 * @param rules the section of that mode
 * @param ipvs further settings of IPVS mode
 * @param source where objects come from
 * @param pods what to do about this node's pods
 * @param serviceApi how Services get their addresses; empty: they are used as they are written
 * @param dns how questions about names of Services are answered; empty: they are not
 * @param nodePortAddresses where node ports answer
 * @param endpoints where the daemon serves its health and metrics over HTTP
 * @param ui where the page for browsers answers; empty: nowhere
 * @param endpointCounters whether the kernel counts the connections of each endpoint, in nftables mode
 * @param externalIps whether Services are served on their external IPs
 * @param drainTcpAfter how long TCP connections to endpoints that are gone may continue; empty for no limit
 */
public record AgentConfig(
        ProxyMode mode,
        Optional<IptablesVariant> variant,
        Rules rules,
        Ipvs ipvs,
        DetectLocal detectLocal,
        NodePortAddresses nodePortAddresses,
        boolean endpointCounters,
        boolean externalIps,
        ProxyAddresses endpoints,
        Conntrack conntrack,
        Optional<Duration> drainTcpAfter,
        NodeIdentity node,
        SourceSettings source,
        PodSettings pods,
        Optional<ServiceApiSettings> serviceApi,
        Optional<DnsSettings> dns,
        Logging logging,
        Host host,
        Optional<Listening> ui,
        Optional<String> adminSocket,
        String stateDir) {

    /**
     * The section {@code ipvs}.
     *
     * @param strictArp the host answers ARP only for addresses of the link that receives the request
     * @param timeouts zeros leave the kernel's own
     */
    public record Ipvs(IpvsSettings servers, boolean strictArp, IpvsTimeouts timeouts) {}

    /**
     * The section of the mode in force, {@code iptables}, {@code nftables} or {@code ipvs}.
     *
     * @param masqueradeBit 0 to 31
     * @param localhostNodePorts false in the other modes, which have none
     * @param syncPeriod more than zero
     * @param minSyncPeriod zero or more, at most {@code syncPeriod}
     */
    public record Rules(
            int masqueradeBit,
            boolean masqueradeAll,
            boolean localhostNodePorts,
            Duration syncPeriod,
            Duration minSyncPeriod) {}

    /**
     * The identity of this node; what is empty is determined elsewhere.
     *
     * @param ips the configured IPs of the node; empty when none are
     * @param bindAddresses take precedence over all other sources for the node's IP of their families; one of each at most
     */
    public record NodeIdentity(
            Optional<String> nameOverride, Optional<NodeIps> ips, List<Ip> bindAddresses, Optional<String> zone) {
        public NodeIdentity {
            bindAddresses = List.copyOf(bindAddresses);
        }

        /** The configured address of a family; empty when it is to be determined. */
        public Optional<Ip> ip(IpFamily family) {
            return ips.flatMap(wanted -> wanted.element(family))
                    .flatMap(element -> element instanceof NodeIp.Exact(Ip ip) ? Optional.of(ip) : Optional.empty());
        }
    }

    /**
     * The settings of the host, other than connection tracking.
     *
     * @param setForwarding IP forwarding is switched on where it is off
     * @param oomScoreAdj -1000 to 1000
     */
    public record Host(boolean setForwarding, int oomScoreAdj) {}

    /** The logging settings. */
    public record Logging(LogFormat format, LogLevel level) {}
}
