package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The chains that were read from the kernel: own chains, and the built-in chains with the jumps to them. With 5,000 Services a family has
 * more than 200,000 rules in 50,000 chains, so the rules of most are not kept.
 *
 * @param complete tables that exist with all their built-in chains
 * @param chains the rules of each chain, in order; chains of others are left out, and those in {@code contents}
 * @param contents the content of each chain that only ever counts as a whole
 */
public record KernelChains(
        Set<Table> complete, Map<ChainId, List<KernelRule>> chains, Map<ChainId, Fingerprint> contents) {
    /** A rule as the kernel has it. */
    public record KernelRule(long handle, Fingerprint print) {}

    public KernelChains {
        complete = Set.copyOf(complete);
        chains = Map.copyOf(chains);
        contents = Map.copyOf(contents);
    }

    /** The content of a chain with these rules. */
    public static Fingerprint contentOf(List<KernelRule> rules) {
        Fingerprint content = Fingerprint.EMPTY;
        for (KernelRule rule : rules) {
            content = content.then(rule.print());
        }
        return content;
    }

    /** The rules of every chain. */
    public KernelChains(Set<Table> complete, Map<ChainId, List<KernelRule>> chains) {
        this(complete, chains, Map.of());
    }
}
