package io.dualstackd.dataplane.rules.encoding;

/**
 * The key of fingerprints. Prints are only ever compared within one process, so each process takes a key of its own from a good
 * random source; then nobody can make up a Service whose rules look like those of another.
 */
public record PrintKey(long high, long low) {
    /** Says nothing: keys do not belong into logs. */
    @Override
    public String toString() {
        return "PrintKey[…]";
    }
}
