package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All rules of one family, each chain with its whole content, as a listing shows them.
 *
 * <p>Never built while rules are synced, because its cost grows with all Services; it is for listings, explanations and tests.
 */
public record Ruleset(IpFamily family, SortedMap<ChainId, List<Rule>> chains) {

    /** Combines a frame with fragments; the dispatch rules of the first fragment come first. */
    public static Ruleset of(IpFamily family, Frame frame, Collection<Fragment> fragments) {
        SortedMap<ChainId, List<Rule>> chains = new TreeMap<>();
        add(chains, frame.chains());
        add(chains, frame.jumps());
        frame.shared().keySet().forEach(chain -> chains.put(chain, new ArrayList<>()));
        for (Fragment fragment : fragments) {
            add(chains, fragment.chains());
            add(chains, fragment.dispatch());
        }
        add(chains, frame.shared());
        return new Ruleset(family, chains);
    }

    public Ruleset {
        SortedMap<ChainId, List<Rule>> copy = new TreeMap<>();
        chains.forEach((chain, rules) -> copy.put(chain, List.copyOf(rules)));
        chains = copy;
    }

    /** The rules of a chain in order; none when there is no such chain. */
    public List<Rule> rules(ChainId chain) {
        return chains.getOrDefault(chain, List.of());
    }

    private static void add(SortedMap<ChainId, List<Rule>> to, SortedMap<ChainId, List<Rule>> from) {
        from.forEach((chain, rules) ->
                to.computeIfAbsent(chain, ignored -> new ArrayList<>()).addAll(rules));
    }
}
