package io.dualstackd.dataplane.diff;

import java.util.List;

/**
 * A 128-bit fingerprint of the content of a rule or of a chain. Two rules with one fingerprint are taken for equal; it comes from a
 * keyed hash, because the names in a rule are chosen by any user who may create a Service.
 */
public record Fingerprint(long high, long low) {
    /** The content of a chain without rules. */
    public static final Fingerprint EMPTY = new Fingerprint(0, 0);

    /** The fingerprint of the ordered content of a chain. */
    public static Fingerprint ofSequence(List<RuleImage> rules) {
        Fingerprint content = EMPTY;
        for (RuleImage rule : rules) {
            content = content.then(rule.print());
        }
        return content;
    }

    /** The fingerprint of this content followed by {@code rule}. */
    public Fingerprint then(Fingerprint rule) {
        return new Fingerprint(
                Long.rotateLeft(high, 29) * 0x9e3779b97f4a7c15L + rule.high + 1,
                Long.rotateLeft(low, 31) * 0xc2b2ae3d27d4eb4fL + rule.low + 1);
    }

    @Override
    public String toString() {
        return "%016x%016x".formatted(high, low);
    }
}
