package io.dualstackd.explain.io;

import io.dualstackd.dataplane.io.NetfilterAdvice;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.dataplane.rules.nftables.ElementWords;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.rules.nftables.TableWalk;
import io.dualstackd.dataplane.rules.nftables.WalkedTable;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Walks a packet through the table that the kernel holds. All chains and rules are read, since there are few; elements are queried one
 * by one as the packet meets them, so that the cost does not depend on the number of Services.
 */
public final class TableVerifier implements WalkedTable {
    private final NftClient kernel;
    private final Map<String, NftSet> sets;
    private final Map<String, Chain> chains;
    private final Map<String, List<NftElement>> ranges = new HashMap<>();

    private TableVerifier(NftClient kernel, Map<String, NftSet> sets, Map<String, Chain> chains) {
        this.kernel = kernel;
        this.sets = sets;
        this.chains = chains;
    }

    /**
     * What happens to a packet in {@code ip dualstackd} or {@code ip6 dualstackd}.
     *
     * @param nodeAddresses the node's own addresses of the family
     */
    public static KernelFindings verify(NftClient kernel, IpFamily family, Packet packet, Set<Ip> nodeAddresses) {
        TableName table = TableSets.name(family);
        try {
            if (kernel.table(table).isEmpty()) {
                return new KernelFindings.Found(List.of("there is no table " + table + " in the kernel"), List.of());
            }
            Map<String, NftSet> sets = new HashMap<>();
            kernel.sets(table).forEach(set -> sets.put(set.name().name(), set));
            Map<String, Chain> chains = new HashMap<>();
            for (NftChain chain : kernel.chains(table)) {
                List<NftRule> rules = kernel.rules(chain.name());
                chains.put(
                        chain.name().name(),
                        new Chain(
                                chain.hook(),
                                rules.stream().map(NftRule::expressions).toList()));
            }
            ElementWords text = new ElementWords(family);
            List<End> ends = new TableWalk(
                            new TableVerifier(kernel, sets, chains),
                            nodeAddresses,
                            (chain, set, element) -> text.of(set, element)
                                    .map(words -> new Trail.Step("chain " + chain + ", " + set, words)))
                    .walk(packet);
            return new KernelFindings.Found(List.of(), ends);
        } catch (NetlinkException e) {
            return new KernelFindings.Silent(NetfilterAdvice.of(e));
        } catch (Unanswered e) {
            return new KernelFindings.Silent(NetfilterAdvice.of(e.why));
        } catch (IllegalStateException e) {
            // Rules of another layout, or changed while they were read.
            return new KernelFindings.Silent(String.valueOf(e.getMessage()));
        }
    }

    /** The sets that the kernel has now in dualstackd's table, without the chains; none when there is no such table. */
    static TableVerifier setsOf(NftClient kernel, IpFamily family) throws NetlinkException {
        Map<String, NftSet> sets = new HashMap<>();
        kernel.sets(TableSets.name(family)).forEach(set -> sets.put(set.name().name(), set));
        return new TableVerifier(kernel, sets, Map.of());
    }

    @Override
    public Map<String, Chain> chains() {
        return chains;
    }

    @Override
    public Optional<NftElement> find(String name, Bytes registers) {
        NftSet set = sets.get(name);
        if (set == null) {
            throw new IllegalStateException("a rule asks for the set " + name + ", which there is not");
        }
        Bytes key = registers.first(set.keyLength());
        try {
            if (!set.has(NftSet.INTERVAL)) {
                return kernel.element(set.name(), key);
            }
            List<NftElement> all = ranges.get(name);
            if (all == null) {
                all = kernel.elements(set.name());
                ranges.put(name, all);
            }
            return WalkedTable.among(all, key);
        } catch (NetlinkException e) {
            throw new Unanswered(e);
        }
    }

    /** Carries a netlink failure through the walk, which does no I/O. */
    static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient NetlinkException why;

        Unanswered(NetlinkException why) {
            super(why);
            this.why = why;
        }
    }
}
