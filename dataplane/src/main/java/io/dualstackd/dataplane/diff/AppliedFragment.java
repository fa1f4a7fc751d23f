package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.List;

/**
 * The applied state of one origin.
 *
 * @param chains its own chains
 * @param placed its rules in shared chains
 * @param rules all its rules, in its own and in shared chains, as in {@link RulesByTable}
 */
public record AppliedFragment(List<ChainId> chains, List<Placed> placed, long rules) {
    public static final AppliedFragment NOTHING = new AppliedFragment(List.of(), List.of(), 0);

    public AppliedFragment {
        chains = List.copyOf(chains);
        placed = List.copyOf(placed);
    }

    /** A rule in a shared chain. */
    public record Placed(ChainId chain, Fingerprint print, long handle) {}
}
