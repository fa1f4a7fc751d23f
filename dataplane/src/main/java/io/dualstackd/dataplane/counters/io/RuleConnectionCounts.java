package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.CountedRule;
import io.dualstackd.dataplane.counters.CountedRule.Destination;
import io.dualstackd.dataplane.counters.CountedRule.Kind;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.counters.RuleCounters;
import io.dualstackd.dataplane.counters.ServedConnections;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters of rules, in iptables mode. Chains of the nat table see the first packet of a connection only, so the packets at the rule
 * that leads to a Service's own chains are its connections; refused and dropped are the packets at the rules that do so.
 */
public final class RuleConnectionCounts implements ConnectionCounts {
    private final IpFamily family;
    private final CountedRules rules;
    private final RuleCounters counters;
    private final ServedConnections<Destination> served = new ServedConnections<>();
    private final AtomicLong servedInTotal = new AtomicLong();
    private final Object reading = new Object();

    private RuleConnectionCounts(IpFamily family, CountedRules rules, RuleCounters counters) {
        this.family = family;
        this.rules = rules;
        this.counters = counters;
    }

    /** @param sockets of the namespace with the rules */
    public static RuleConnectionCounts of(IpFamily family, NetlinkSockets sockets, RuleCounters counters) {
        return new RuleConnectionCounts(family, new NetfilterRules(family, sockets, CountedRule.CHAINS), counters);
    }

    /** For iptables legacy.
     *
     * @param ns with the tables; must stay open
     */
    public static RuleConnectionCounts ofLegacy(IpFamily family, NetNs ns, RuleCounters counters) {
        return new RuleConnectionCounts(family, new LegacyRules(family, ns, counters.replacements()), counters);
    }

    @Override
    public IpFamily family() {
        return family;
    }

    /** While there are no chains there is nothing to read. */
    @Override
    public Optional<String> refresh() {
        synchronized (reading) {
            Optional<String> failed = rules.refresh(counters);
            served.forgetFormer(this::translated);
            return failed;
        }
    }

    @Override
    public Attempts clusterIp(Ip address, Proto protocol, int port) {
        Destination to = new Destination(Optional.of(address), protocol, port);
        return new Attempts(packets(Kind.TRANSLATED, to), packets(Kind.REFUSED, to), packets(Kind.DROPPED, to));
    }

    @Override
    public Attempts external(Ip address, Proto protocol, int port) {
        Destination to = new Destination(Optional.of(address), protocol, port);
        return outside(to);
    }

    @Override
    public Attempts nodePort(Proto protocol, int port) {
        return outside(Destination.nodePort(protocol, port));
    }

    private long translated(Destination to) {
        long localhost = to.address().isPresent()
                ? 0
                : packets(Kind.TRANSLATED, Destination.localhostNodePort(to.protocol(), to.port()));
        return packets(Kind.TRANSLATED, to) + localhost;
    }

    /** What is dropped passes the rule of translation first, as others may be served there, and is counted twice. */
    private Attempts outside(Destination to) {
        long lost = packets(Kind.DROPPED, to) + packets(Kind.FORBIDDEN, to);
        return new Attempts(served.of(to, translated(to), lost), packets(Kind.REFUSED, to), lost);
    }

    private long packets(Kind kind, Destination to) {
        return counters.packets(new CountedRule(kind, to));
    }

    /** The packets at the rule of an endpoint's own chain, which translates to it. */
    @Override
    public EndpointCounts endpoints(Collection<CountedEndpoint> wanted) {
        return rules.endpoints(wanted);
    }

    @Override
    public Attempts total() {
        long connections = counters.total(Kind.TRANSLATED) - counters.total(Kind.FORBIDDEN);
        return new Attempts(
                servedInTotal.accumulateAndGet(connections, Math::max),
                counters.total(Kind.REFUSED),
                counters.total(Kind.DROPPED) + counters.total(Kind.FORBIDDEN));
    }
}
