package io.dualstackd.agent.config;

import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.PodIpOrder;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import java.util.Optional;

/**
 * What to do about this node's pods.
 *
 * @param runtime where the container runtime is; empty: pods are not followed, and nothing below means anything
 * @param cidrs networks of the node's pods; {@link PodCidrs#NONE} to take them from the Node object
 * @param localFailover dead pods are taken out of service before their Service's endpoints change
 * @param order which address of a pod comes first
 */
public record PodSettings(Optional<RuntimeEndpoint> runtime, PodCidrs cidrs, boolean localFailover, PodIpOrder order) {
    /** In the order of kubelet. */
    public PodSettings(Optional<RuntimeEndpoint> runtime, PodCidrs cidrs, boolean localFailover) {
        this(runtime, cidrs, localFailover, PodIpOrder.NODE);
    }

    /** Pods are not followed. */
    public static final PodSettings NONE = new PodSettings(Optional.empty(), PodCidrs.NONE, false);
}
