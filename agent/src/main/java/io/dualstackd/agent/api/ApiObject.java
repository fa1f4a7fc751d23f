package io.dualstackd.agent.api;

/** An object of the Kubernetes API, reduced to what this daemon reads. */
public sealed interface ApiObject permits Service, EndpointSlice, Node {
    /** What identifies it. */
    ObjectKey key();
}
