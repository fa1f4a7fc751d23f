package io.dualstackd.dataplane.model;

/** Which endpoints may serve: {@code spec.internalTrafficPolicy} and {@code spec.externalTrafficPolicy} of a Service. */
public enum TrafficPolicy {
    /** All endpoints of the cluster. */
    CLUSTER,
    /** Only endpoints on this node. */
    LOCAL
}
