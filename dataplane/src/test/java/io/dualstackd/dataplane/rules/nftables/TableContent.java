package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a table holds, be it read from the kernel or compiled: as much as decides about packets.
 *
 * @param chains by name
 * @param sets elements by the name of the set or map, then by key; of ranges, by first key
 */
public record TableContent(Map<String, Chain> chains, Map<String, Map<Bytes, NftElement>> sets) implements WalkedTable {
    public TableContent {
        chains = Map.copyOf(chains);
        sets = Map.copyOf(sets);
    }

    public static TableContent of(WholeTable table) {
        Map<String, Chain> chains = new HashMap<>();
        for (ChainRules chain : table.chains()) {
            chains.put(chain.name(), new Chain(chain.hook(), decoded(chain)));
        }
        Map<String, Map<Bytes, NftElement>> sets = new HashMap<>();
        table.sets().keySet().forEach(name -> sets.put(name, table.elements().getOrDefault(name, Map.of())));
        return new TableContent(chains, sets);
    }

    /** The present content; both maps are empty when there is no table. */
    public static TableContent read(NftClient kernel, IpFamily family) throws NetlinkException {
        return kernel.consistently(client -> now(client, TableSets.name(family)))
                .value();
    }

    private static TableContent now(NftClient kernel, TableName table) throws NetlinkException {
        Map<String, Chain> chains = new HashMap<>();
        for (NftChain chain : kernel.chains(table.family())) {
            if (chain.name().table().equals(table)) {
                List<List<NftExpr>> rules = kernel.rules(chain.name()).stream()
                        .map(NftRule::expressions)
                        .toList();
                chains.put(chain.name().name(), new Chain(chain.hook(), rules));
            }
        }
        Map<String, Map<Bytes, NftElement>> sets = new HashMap<>();
        for (NftSet set : kernel.sets(table)) {
            Map<Bytes, NftElement> elements = new HashMap<>();
            kernel.elements(set.name()).forEach(element -> elements.put(element.key(), uncounted(element)));
            sets.put(set.name().name(), elements);
        }
        return new TableContent(chains, sets);
    }

    /** The element without its counter. */
    private static NftElement uncounted(NftElement element) {
        return element.expressions().stream().allMatch(Counter.class::isInstance)
                ? new NftElement(
                        element.key(),
                        element.keyEnd(),
                        element.data(),
                        element.flags(),
                        element.timeoutMillis(),
                        element.expirationMillis(),
                        element.userData(),
                        List.of())
                : element;
    }

    private static List<List<NftExpr>> decoded(ChainRules chain) {
        List<List<NftExpr>> rules = new ArrayList<>();
        try {
            for (RuleBody rule : chain.rules()) {
                rules.add(rule.decode());
            }
        } catch (DecodeException e) {
            throw new IllegalStateException("a rule of ours does not decode", e);
        }
        return rules;
    }

    @Override
    public Optional<NftElement> find(String set, Bytes registers) {
        Map<Bytes, NftElement> elements = sets.get(set);
        if (elements == null) {
            throw new IllegalStateException("a rule asks for the set " + set + ", which there is not");
        }
        if (elements.isEmpty()) {
            return Optional.empty();
        }
        NftElement any = elements.values().iterator().next();
        Bytes key = registers.first(any.key().length());
        return any.keyEnd().length() == 0
                ? Optional.ofNullable(elements.get(key))
                : WalkedTable.among(elements.values(), key);
    }

    /** With a client remembered in a set, as a rule does it. */
    public TableContent with(String set, NftElement element) {
        Map<String, Map<Bytes, NftElement>> more = new HashMap<>(sets);
        Map<Bytes, NftElement> elements = new HashMap<>(more.getOrDefault(set, Map.of()));
        elements.put(element.key(), element);
        more.put(set, elements);
        return new TableContent(chains, more);
    }
}
