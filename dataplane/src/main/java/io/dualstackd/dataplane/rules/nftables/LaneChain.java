package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.RuleBody;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * The chains that draw an endpoint ({@link Lane#chainName}). Those that look into the map have one rule that never changes: the kernel
 * walks all elements of a map for every rule that is bound to it, and the chain that jumps to them is rewritten whenever a new number
 * of endpoints comes into use.
 */
public final class LaneChain {
    private LaneChain() {}

    /**
     * The rules first match destinations with session affinity, whose chains choose the endpoint; then one rule for each number of
     * endpoints in use. Small numbers come first: most Services have few endpoints, and each rule costs a lookup. Last comes the jump
     * to {@link #first}.
     *
     * @param counts numbers of endpoints, 1 to {@link KeyShape#SLOTS}, each with a set {@link TableSets#counted} and a chain {@link
     *     #drawing}
     */
    public static ChainRules of(IpFamily family, Lane lane, SortedSet<Integer> counts) {
        List<RuleBody> rules = new ArrayList<>(counts.size() + 2);
        rules.add(new RuleDraft(family).verdictOf(lane.destination(), lane.stickyMapName()));
        for (int count : counts) {
            rules.add(new RuleDraft(family)
                    .in(lane.destination(), lane.setName(count))
                    .goTo(lane.chainName(count)));
        }
        rules.add(new RuleDraft(family).goTo(lane.firstChainName()));
        return ChainRules.of(lane.chainName(), rules);
    }

    /** The chain for destinations with {@code count} endpoints. */
    public static ChainRules drawing(IpFamily family, Lane lane, int count) {
        return ChainRules.of(
                lane.chainName(count),
                new RuleDraft(family).translateByLot(lane.slot(), count, lane.mapName()),
                new RuleDraft(family).goTo(lane.firstChainName()));
    }

    /**
     * The chain for packets during a change. Each lookup sees the elements of its own moment, so a packet whose number of endpoints was
     * looked up just before it shrinks may draw a number that is gone. Such a packet is sent to the first endpoint, which exists as
     * long as there is any, instead of being rejected. Where there is none, nothing happens.
     */
    public static ChainRules first(IpFamily family, Lane lane) {
        return ChainRules.of(
                lane.firstChainName(), new RuleDraft(family).translateByLot(lane.slot(), 1, lane.mapName()));
    }
}
