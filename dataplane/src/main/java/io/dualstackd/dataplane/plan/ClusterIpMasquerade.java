package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.LocalDetector;

/** Which connections to a ClusterIP get the node's address as their source. */
public sealed interface ClusterIpMasquerade {
    record Always() implements ClusterIpMasquerade {}

    record Never() implements ClusterIpMasquerade {}

    /** All but those of this node's pods; {@code pods} is never {@link LocalDetector.None}. */
    record UnlessFrom(LocalDetector pods) implements ClusterIpMasquerade {}
}
