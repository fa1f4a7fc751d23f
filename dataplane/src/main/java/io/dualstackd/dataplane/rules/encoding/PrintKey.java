package io.dualstackd.dataplane.rules.encoding;

/**
 * The key of fingerprints. Prints are only compared within one process, so each process takes a key of its own from a secure random
 * source; then no user can construct a Service whose rules have the fingerprint of another's.
 */
public record PrintKey(long high, long low) {
    /** Does not print the key: keys do not belong in logs. */
    @Override
    public String toString() {
        return "PrintKey[…]";
    }
}
