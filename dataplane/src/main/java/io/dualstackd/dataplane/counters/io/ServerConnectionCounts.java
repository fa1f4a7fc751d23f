package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.CountedRule;
import io.dualstackd.dataplane.counters.CountedRule.Destination;
import io.dualstackd.dataplane.counters.CountedRule.Kind;
import io.dualstackd.dataplane.counters.RuleCounters;
import io.dualstackd.dataplane.counters.ServerCounters;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsKey;
import java.util.Optional;

/**
 * The statistics of virtual servers, in IPVS mode, and the counters of the rules in front of them: IPVS itself counts neither what it
 * rejects nor what rules drop.
 */
public final class ServerConnectionCounts implements ConnectionCounts {
    private final IpFamily family;
    private final Servers servers;
    private final ServerCounters connections;
    private final CountedRules rules;
    private final RuleCounters lost;
    private final Object reading = new Object();

    /** Reads the statistics of all virtual servers. */
    @FunctionalInterface
    public interface Servers {
        /** Ends the reading with what it found; returns why it failed. */
        Optional<String> readInto(ServerCounters counters);
    }

    /**
     * @param sockets of the namespace with the rules
     * @param lost what the rules count
     */
    public static ServerConnectionCounts of(
            IpFamily family, Servers servers, ServerCounters connections, NetlinkSockets sockets, RuleCounters lost) {
        CountedRules rules = new NetfilterRules(family, sockets, CountedRule.AROUND_SERVERS);
        return new ServerConnectionCounts(family, servers, connections, rules, lost);
    }

    private ServerConnectionCounts(
            IpFamily family, Servers servers, ServerCounters connections, CountedRules rules, RuleCounters lost) {
        this.family = family;
        this.servers = servers;
        this.connections = connections;
        this.rules = rules;
        this.lost = lost;
    }

    @Override
    public IpFamily family() {
        return family;
    }

    @Override
    public Optional<String> refresh() {
        synchronized (reading) {
            connections.begin();
            Optional<String> failed = servers.readInto(connections);
            if (failed.isPresent()) {
                connections.abandon();
                return failed;
            }
            return rules.refresh(lost);
        }
    }

    @Override
    public Attempts clusterIp(Ip address, Proto protocol, int port) {
        return attempts(
                connections.connections(new IpvsKey.At(address, protocol, port)),
                new Destination(Optional.of(address), protocol, port));
    }

    @Override
    public Attempts external(Ip address, Proto protocol, int port) {
        return clusterIp(address, protocol, port);
    }

    @Override
    public Attempts nodePort(Proto protocol, int port) {
        return attempts(connections.nodePort(protocol, port), Destination.nodePort(protocol, port));
    }

    private Attempts attempts(long served, Destination to) {
        return new Attempts(
                served,
                lost.packets(new CountedRule(Kind.REFUSED, to)),
                lost.packets(new CountedRule(Kind.DROPPED, to)));
    }

    @Override
    public Attempts total() {
        return new Attempts(connections.total(), lost.total(Kind.REFUSED), lost.total(Kind.DROPPED));
    }
}
