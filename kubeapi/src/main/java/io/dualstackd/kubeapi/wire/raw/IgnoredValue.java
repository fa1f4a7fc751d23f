package io.dualstackd.kubeapi.wire.raw;

/**
 * A value of a stored object that was invalid and was dropped; the rest of the object is in force.
 *
 * @param object as {@code Service shop/web}
 * @param field path in the object
 * @param value as stored, shortened; empty when it is missing
 * @param rule the rule that it breaks
 */
public record IgnoredValue(String object, String field, String value, String rule) {
    private static final int SHOWN = 60;

    public IgnoredValue {
        if (value.length() > SHOWN) {
            value = value.substring(0, SHOWN) + "…";
        }
    }

    /** {@code Service shop/web: spec.externalIPs[0] "x": must be …; ignored}. */
    @Override
    public String toString() {
        return object + ": " + field + (value.isEmpty() ? "" : " \"" + value + "\"") + ": " + rule + "; ignored";
    }
}
