package io.dualstackd.dataplane.model;

/** Whether later connections of a client go to the endpoint of its first one ({@code spec.sessionAffinity}). */
public sealed interface Affinity {
    /** Each connection is balanced on its own. */
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
