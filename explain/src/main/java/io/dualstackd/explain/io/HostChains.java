package io.dualstackd.explain.io;

import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.explain.ChainJudgement;
import io.dualstackd.explain.ChainJudgement.Answer;
import io.dualstackd.explain.SetSearch;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every base chain of nf_tables that sees packets of a family, whether of dualstackd or not, except those of the table of nftables
 * mode. Rules are read when a packet enters their chain, and elements are queried one by one.
 */
final class HostChains {
    /** A chain with more rules than this is not read: an explanation must not take a second. */
    private static final int MOST_USES = 2_000;

    private final NftClient kernel;
    private final List<NftChain> bases = new ArrayList<>();
    private final Map<String, Integer> uses = new HashMap<>();
    private final Map<TableName, Long> handles = new HashMap<>();
    private final Map<TableName, OfTable> tables = new HashMap<>();

    private HostChains(NftClient kernel) {
        this.kernel = kernel;
    }

    static HostChains read(NftClient kernel, IpFamily family) throws NetlinkException {
        HostChains chains = new HostChains(kernel);
        for (NftFamily sees : List.of(NftFamily.of(family), NftFamily.INET)) {
            List<NftTable> tables = kernel.tables(sees);
            tables.forEach(table -> chains.handles.put(table.name(), table.handle()));
            List<TableName> dormant = tables.stream()
                    .filter(table -> (table.flags() & NftTable.DORMANT) != 0)
                    .map(NftTable::name)
                    .toList();
            for (NftChain chain : kernel.chains(sees)) {
                TableName table = chain.name().table();
                if (table.equals(TableSets.name(family)) || dormant.contains(table)) {
                    continue;
                }
                chains.uses.put(table + " " + chain.name().name(), chain.use());
                if (chain.hook().isPresent()) {
                    chains.bases.add(chain);
                }
            }
        }
        return chains;
    }

    /**
     * The base chains of a hook, in the order in which packets pass them. Of chains with equal priority the newest comes first. The
     * kernel numbers the chains of each table separately, so among those of several tables this order is likely, but not certain.
     */
    List<NftChain> at(int hook) {
        Comparator<NftChain> newestFirst = Comparator.<NftChain>comparingLong(
                        chain -> handles.getOrDefault(chain.name().table(), 0L))
                .thenComparingLong(NftChain::handle)
                .reversed();
        return bases.stream()
                .filter(chain -> chain.hook().filter(h -> h.number() == hook).isPresent())
                .sorted(Comparator.<NftChain>comparingInt(
                                chain -> chain.hook().orElseThrow().priority())
                        .thenComparing(newestFirst))
                .toList();
    }

    boolean has(ChainName chain) {
        return uses.containsKey(chain.table() + " " + chain.name());
    }

    /** The chains and sets of a table. */
    ChainJudgement.Chains of(TableName table) {
        return tables.computeIfAbsent(table, OfTable::new);
    }

    private final class OfTable implements ChainJudgement.Chains {
        private final TableName table;
        private final Map<String, Optional<List<List<NftExpr>>>> rules = new HashMap<>();
        private final Map<String, Optional<List<NftElement>>> ranges = new HashMap<>();
        private Optional<Map<String, NftSet>> sets = Optional.empty();

        OfTable(TableName table) {
            this.table = table;
        }

        @Override
        public Optional<List<List<NftExpr>>> rules(String chain) {
            return rules.computeIfAbsent(chain, this::read);
        }

        private Optional<List<List<NftExpr>>> read(String chain) {
            if (uses.getOrDefault(table + " " + chain, 0) > MOST_USES) {
                return Optional.empty();
            }
            try {
                return Optional.of(kernel.rules(table.chain(chain)).stream()
                        .map(NftRule::expressions)
                        .toList());
            } catch (NetlinkException e) {
                return Optional.empty();
            }
        }

        @Override
        public Answer find(String name, ChainJudgement.KeySource key) {
            try {
                if (sets.isEmpty()) {
                    Map<String, NftSet> all = new HashMap<>();
                    kernel.sets(table).forEach(set -> all.put(set.name().name(), set));
                    sets = Optional.of(all);
                }
                NftSet set = sets.get().get(name);
                Optional<Bytes> known = set == null ? Optional.empty() : key.first(set.keyLength());
                if (set == null || known.isEmpty()) {
                    return new Answer.NotAsked();
                }
                if (!set.has(NftSet.INTERVAL)) {
                    Optional<NftElement> own = kernel.element(set.name(), known.get());
                    return answer(own.isPresent() ? own : kernel.catchAll(set.name()));
                }
                Optional<List<NftElement>> all = ranges.get(name);
                if (all == null) {
                    // Named sets of ranges may be ban lists with a hundred thousand elements.
                    all = set.has(NftSet.ANONYMOUS) ? Optional.of(kernel.elements(set.name())) : Optional.empty();
                    ranges.put(name, all);
                }
                return all.isEmpty() ? new Answer.NotAsked() : answer(SetSearch.find(set, all.get(), known.get()));
            } catch (NetlinkException e) {
                return new Answer.NotAsked();
            }
        }

        private Answer answer(Optional<NftElement> element) {
            return element.<Answer>map(Answer.Has::new).orElseGet(Answer.HasNot::new);
        }
    }
}
