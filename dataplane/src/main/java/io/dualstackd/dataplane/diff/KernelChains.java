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
 * @param complete tables that exist with all their built-in chains and are not dormant
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

    /** A fingerprint of all that was read: two readings with one digest are taken for equal. */
    public Fingerprint digest() {
        Sum sum = new Sum();
        complete.forEach(table -> sum.add(new Fingerprint(table.hashCode(), 0)));
        chains.forEach((chain, rules) -> {
            Fingerprint content = Fingerprint.EMPTY;
            for (KernelRule rule : rules) {
                content = content.then(rule.print()).then(new Fingerprint(rule.handle(), 0));
            }
            sum.add(content.then(new Fingerprint(chain.hashCode(), 1)));
        });
        contents.forEach((chain, content) -> sum.add(content.then(new Fingerprint(chain.hashCode(), 2))));
        return new Fingerprint(sum.high, sum.low);
    }

    /** A sum of fingerprints in any order. */
    private static final class Sum {
        private long high;
        private long low;

        void add(Fingerprint one) {
            high += mixed(one.high());
            low += mixed(one.low() ^ Long.rotateLeft(one.high(), 32));
        }

        private static long mixed(long bits) {
            long once = (bits ^ bits >>> 32) * 0xd6e8feb86659fd93L;
            long twice = (once ^ once >>> 32) * 0xd6e8feb86659fd93L;
            return twice ^ twice >>> 32;
        }
    }

    /** The rules of every chain. */
    public KernelChains(Set<Table> complete, Map<ChainId, List<KernelRule>> chains) {
        this(complete, chains, Map.of());
    }
}
