package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.CountedRule;
import io.dualstackd.dataplane.counters.CountedRule.Destination;
import io.dualstackd.dataplane.counters.CountedRule.Kind;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.counters.FoundRule;
import io.dualstackd.dataplane.counters.RuleCounters;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.XtTargetExpr;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counters of rules, in iptables mode. Chains of the nat table see the first packet of a connection only, so the packets at the rule
 * that leads to a Service's own chains are its connections; refused and dropped are the packets at the rules that do so.
 */
public final class RuleConnectionCounts implements ConnectionCounts {
    private final IpFamily family;
    private final NetlinkSockets sockets;
    private final RuleCounters counters;
    private final Object reading = new Object();

    /** @param sockets of the namespace with the rules */
    public RuleConnectionCounts(IpFamily family, NetlinkSockets sockets, RuleCounters counters) {
        this.family = family;
        this.sockets = sockets;
        this.counters = counters;
    }

    @Override
    public IpFamily family() {
        return family;
    }

    /** While there are no chains there is nothing to read. */
    @Override
    public Optional<String> refresh() {
        synchronized (reading) {
            RuleCounters.Reading values = counters.begin();
            Optional<String> failed = CounterDump.run(sockets, client -> {
                for (ChainId chain : CountedRule.CHAINS) {
                    read(client, chain, values);
                }
            });
            if (failed.isEmpty()) {
                counters.end(values);
            } else {
                counters.abandon();
            }
            return failed;
        }
    }

    private void read(NftClient kernel, ChainId chain, RuleCounters.Reading into) throws NetlinkException {
        TableName table = new TableName(NftFamily.of(family), chain.table().toString());
        List<Boolean> ignored = kernel.rules(table.chain(chain.name()), message -> {
            FoundRule.of(chain, NftRule.read(message)).ifPresent(into::add);
            return true;
        });
    }

    @Override
    public Attempts clusterIp(Ip address, Proto protocol, int port) {
        Destination to = new Destination(Optional.of(address), protocol, port);
        return new Attempts(packets(Kind.TRANSLATED, to), packets(Kind.REFUSED, to), packets(Kind.DROPPED, to));
    }

    @Override
    public Attempts external(Ip address, Proto protocol, int port) {
        Destination to = new Destination(Optional.of(address), protocol, port);
        return outside(packets(Kind.TRANSLATED, to), to);
    }

    @Override
    public Attempts nodePort(Proto protocol, int port) {
        Destination to = Destination.nodePort(protocol, port);
        Destination localhost = Destination.localhostNodePort(protocol, port);
        return outside(packets(Kind.TRANSLATED, to) + packets(Kind.TRANSLATED, localhost), to);
    }

    /** What is dropped passes the rule of translation first, as others may be served there, and is counted twice. */
    private Attempts outside(long translated, Destination to) {
        long dropped = packets(Kind.DROPPED, to);
        long lost = dropped + packets(Kind.FORBIDDEN, to);
        return new Attempts(Math.max(0, translated - lost), packets(Kind.REFUSED, to), dropped);
    }

    private long packets(Kind kind, Destination to) {
        return counters.packets(new CountedRule(kind, to));
    }

    /** The packets at the rule of an endpoint's own chain, which translates to it. */
    @Override
    public EndpointCounts endpoints(Collection<CountedEndpoint> asked) {
        Map<CountedEndpoint, Long> found = new HashMap<>();
        TableName table = new TableName(NftFamily.of(family), Table.NAT.toString());
        Optional<String> failed = CounterDump.run(sockets, client -> {
            for (CountedEndpoint one : asked) {
                String chain = ChainNames.endpoint(one.port(), one.address());
                List<Boolean> ignored = client.rules(table.chain(chain), message -> {
                    translated(NftRule.read(message)).ifPresent(packets -> found.put(one, packets));
                    return true;
                });
            }
        });
        return new EndpointCounts(found, failed);
    }

    /** The packets at a rule that translates; empty for others. */
    private static Optional<Long> translated(NftRule rule) {
        boolean translates = rule.expressions().stream()
                .anyMatch(each -> each instanceof XtTargetExpr target
                        && target.extension().equals("DNAT"));
        return rule.expressions().stream()
                .filter(each -> translates && each instanceof Counter)
                .map(each -> ((Counter) each).packets())
                .findFirst();
    }

    @Override
    public Attempts total() {
        return new Attempts(
                Math.max(0, counters.total(Kind.TRANSLATED) - counters.total(Kind.FORBIDDEN)),
                counters.total(Kind.REFUSED),
                counters.total(Kind.DROPPED));
    }
}
