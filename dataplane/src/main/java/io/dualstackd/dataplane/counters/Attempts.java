package io.dualstackd.dataplane.counters;

/**
 * Attempts to connect.
 *
 * @param connections translated to an endpoint
 * @param refused rejected, because the Service has no endpoint; a client that tries again counts again
 * @param dropped because the policy Local leaves no endpoint on this node, or the source is in no range that is allowed; a client that tries again counts again
 */
public record Attempts(long connections, long refused, long dropped) {
    public static final Attempts NONE = new Attempts(0, 0, 0);

    public Attempts plus(Attempts other) {
        return new Attempts(connections + other.connections, refused + other.refused, dropped + other.dropped);
    }
}
