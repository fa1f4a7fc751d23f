package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
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

    /** The rules of a chain, in order, in a third of the memory of a list: with 5,000 Services, a family has more than 200,000 rules. */
    public static List<KernelRule> packed(List<KernelRule> rules) {
        return rules.isEmpty() ? List.of() : new PackedRules(rules);
    }

    private static final class PackedRules extends AbstractList<KernelRule> implements RandomAccess {
        private static final int STRIDE = 3;

        private final long[] values;

        PackedRules(List<KernelRule> rules) {
            values = new long[STRIDE * rules.size()];
            int at = 0;
            for (KernelRule rule : rules) {
                values[at++] = rule.handle();
                values[at++] = rule.print().high();
                values[at++] = rule.print().low();
            }
        }

        @Override
        public KernelRule get(int index) {
            int at = STRIDE * Objects.checkIndex(index, size());
            return new KernelRule(values[at], new Fingerprint(values[at + 1], values[at + 2]));
        }

        @Override
        public int size() {
            return values.length / STRIDE;
        }
    }

    public KernelChains {
        complete = Set.copyOf(complete);
        chains = Map.copyOf(chains);
    }
}
