package io.dualstackd.dataplane.model;

/** Whether a client is sent to the endpoint it was sent to before ({@code spec.sessionAffinity}). */
public sealed interface Affinity {
    /** Every connection chooses anew. */
    record None() implements Affinity {}

    /**
     * Connections of one source address stay with one endpoint.
     *
     * @param timeoutSeconds how long after the last new connection, 1 to 86400
     */
    record ClientIp(int timeoutSeconds) implements Affinity {
        public ClientIp {
            if (timeoutSeconds < 1 || timeoutSeconds > 86_400) {
                throw new IllegalArgumentException("affinity timeout " + timeoutSeconds + " s is not in 1..86400");
            }
        }
    }

    Affinity NONE = new None();
}
