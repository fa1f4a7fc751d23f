package io.dualstackd.dataplane.plan;

/** What happens to a new connection for a destination of a service port. */
public enum Handling {
    /** It is sent to an endpoint. */
    SERVE,
    /** No endpoint serves anywhere: the client is refused at once (ICMP port unreachable). */
    REJECT,
    /** Endpoints exist, but the policy leaves none usable on this node: dropped silently, because another node may answer. */
    DROP
}
