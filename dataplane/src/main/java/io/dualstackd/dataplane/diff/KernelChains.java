package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The chains that were read from the kernel: own chains, and the built-in chains with the jumps to them.
 *
 * @param complete tables that exist with all their built-in chains
 * @param chains the rules of each chain, in order; chains of others are left out
 */
public record KernelChains(Set<Table> complete, Map<ChainId, List<KernelRule>> chains) {
    /** A rule as the kernel has it. */
    public record KernelRule(long handle, Fingerprint print) {}

    public KernelChains {
        complete = Set.copyOf(complete);
        chains = Map.copyOf(chains);
    }
}
