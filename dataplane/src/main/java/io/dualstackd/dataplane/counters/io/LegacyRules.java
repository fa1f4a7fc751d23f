package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.CountedRule;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.counters.FoundRule;
import io.dualstackd.dataplane.counters.Replacements;
import io.dualstackd.dataplane.counters.RuleCounters;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.table.TableBlob;
import io.dualstackd.netlink.xt.table.XtChain;
import io.dualstackd.netlink.xt.table.XtEntry;
import io.dualstackd.netlink.xt.table.XtTable;
import io.dualstackd.netlink.xt.table.XtTableCodec;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rules of iptables legacy: whole tables are read, between two replacements of ours. */
final class LegacyRules implements CountedRules {
    private final IpFamily family;
    private final NetNs ns;
    private final Replacements replacements;

    LegacyRules(IpFamily family, NetNs ns, Replacements replacements) {
        this.family = family;
        this.ns = ns;
        this.replacements = replacements;
    }

    @Override
    public Optional<String> read(RuleCounters.Reading into) {
        try {
            Set<Table> counted = CountedRule.CHAINS.stream().map(ChainId::table).collect(Collectors.toSet());
            Map<Table, TableBlob> blobs = replacements.read(into, () -> tables(counted));
            Map<Table, Map<String, XtChain>> chains = new EnumMap<>(Table.class);
            for (Map.Entry<Table, TableBlob> each : blobs.entrySet()) {
                chains.put(each.getKey(), byName(each.getValue()));
            }
            for (ChainId chain : CountedRule.CHAINS) {
                XtChain found = chains.getOrDefault(chain.table(), Map.of()).get(chain.name());
                if (found != null) {
                    for (XtEntry rule : found.rules()) {
                        FoundRule.of(chain, rule).ifPresent(into::add);
                    }
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Those that exist: reading another one would create it. */
    private Map<Table, TableBlob> tables(Set<Table> wanted) throws IOException {
        Map<Table, TableBlob> blobs = new EnumMap<>(Table.class);
        Set<String> there = XtTableClient.tables(family, ns);
        if (!there.isEmpty()) {
            try (XtTableClient kernel = XtTableClient.open(family, ns)) {
                for (Table table : wanted) {
                    if (there.contains(table.toString())) {
                        blobs.put(table, kernel.read(table.toString()));
                    }
                }
            }
        }
        return blobs;
    }

    private static Map<String, XtChain> byName(TableBlob blob) throws IOException {
        try {
            XtTable table = XtTableCodec.decode(blob);
            return table.chains().stream().collect(Collectors.toMap(XtChain::name, Function.identity()));
        } catch (DecodeException e) {
            throw new IOException("cannot read the table as iptables writes it: " + e.getMessage(), e);
        }
    }

    @Override
    public EndpointCounts endpoints(Collection<CountedEndpoint> wanted) {
        Map<CountedEndpoint, Long> found = new HashMap<>();
        try {
            TableBlob nat = tables(Set.of(Table.NAT)).get(Table.NAT);
            if (nat != null) {
                Map<String, XtChain> chains = byName(nat);
                for (CountedEndpoint one : wanted) {
                    Optional.ofNullable(
                                    chains.get(ChainNames.endpoint(one.port().name(), one.address())))
                            .stream()
                            .flatMap(chain -> chain.rules().stream())
                            .filter(rule -> rule.hasTarget("DNAT"))
                            .findFirst()
                            .ifPresent(rule -> found.put(one, rule.packets()));
                }
            }
            return new EndpointCounts(found, Optional.empty());
        } catch (IOException e) {
            return new EndpointCounts(Map.of(), Optional.of(String.valueOf(e.getMessage())));
        }
    }
}
