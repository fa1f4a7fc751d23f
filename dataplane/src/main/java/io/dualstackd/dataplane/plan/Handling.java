package io.dualstackd.dataplane.plan;

/** What happens to a new connection for a destination of a service port. */
public enum Handling {
    /** It is sent to an endpoint. */
    SERVE,
    /** Nobody serves anywhere: the client is told at once (ICMP port unreachable). */
    REJECT,
    /** Endpoints exist, but policy leaves none usable on this node: silence, another node may answer. */
    DROP
}
