package io.dualstackd.standalone.serviceapi;

/**
 * A rule that a Service breaks.
 *
 * @param field path in the object, as {@code spec.clusterIPs[1]}
 * @param value the value in the object; empty when it is missing
 * @param rule the requirement, for people
 */
public record Rejection(String field, String value, String rule) {
    @Override
    public String toString() {
        return value.isEmpty() ? field + ": " + rule : field + ": \"" + value + "\": " + rule;
    }
}
