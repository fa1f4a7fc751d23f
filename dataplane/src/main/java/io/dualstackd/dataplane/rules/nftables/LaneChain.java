package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.RuleBody;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/** The chain that draws an endpoint ({@link Lane#chainName}). */
public final class LaneChain {
    private LaneChain() {}

    /**
     * First those with session affinity, whose chains decide themselves; then one rule for each number of endpoints in use. Small
     * numbers come first: most Services have few endpoints, and each rule costs a lookup.
     *
     * @param counts numbers of endpoints, 1 to {@link KeyShape#SLOTS}, each with a set {@link TableSets#counted}
     */
    public static ChainRules of(IpFamily family, Lane lane, SortedSet<Integer> counts) {
        List<RuleBody> rules = new ArrayList<>(counts.size() + 1);
        rules.add(new RuleDraft(family).verdictOf(lane.destination(), lane.stickyMapName()));
        for (int count : counts) {
            rules.add(rule(family, lane, count));
        }
        return ChainRules.of(lane.chainName(), rules);
    }

    /** The rule for destinations with {@code count} endpoints. */
    public static RuleBody rule(IpFamily family, Lane lane, int count) {
        return new RuleDraft(family)
                .in(lane.destination(), lane.setName(count))
                .translateByLot(lane.slot(), count, lane.mapName());
    }
}
