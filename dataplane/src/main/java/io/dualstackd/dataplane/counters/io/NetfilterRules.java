package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.counters.FoundRule;
import io.dualstackd.dataplane.counters.RuleCounters;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
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

/** Rules of iptables in nf_tables: the chains with counted rules are listed one by one. */
final class NetfilterRules implements CountedRules {
    private final IpFamily family;
    private final NetlinkSockets sockets;
    private final List<ChainId> chains;

    /** @param chains with counted rules */
    NetfilterRules(IpFamily family, NetlinkSockets sockets, List<ChainId> chains) {
        this.family = family;
        this.sockets = sockets;
        this.chains = chains;
    }

    @Override
    public Optional<String> read(RuleCounters.Reading into) {
        return CounterDump.run(sockets, client -> {
            for (ChainId chain : chains) {
                read(client, chain, into);
            }
        });
    }

    private void read(NftClient kernel, ChainId chain, RuleCounters.Reading into) throws NetlinkException {
        TableName table = new TableName(NftFamily.of(family), chain.table().toString());
        List<Boolean> ignored = kernel.rules(table.chain(chain.name()), message -> {
            FoundRule.of(chain, NftRule.read(message)).ifPresent(into::add);
            return true;
        });
    }

    @Override
    public EndpointCounts endpoints(Collection<CountedEndpoint> wanted) {
        Map<CountedEndpoint, Long> found = new HashMap<>();
        TableName table = new TableName(NftFamily.of(family), Table.NAT.toString());
        Optional<String> failed = CounterDump.run(sockets, client -> {
            for (CountedEndpoint one : wanted) {
                String chain = ChainNames.endpoint(one.port().name(), one.address());
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
}
