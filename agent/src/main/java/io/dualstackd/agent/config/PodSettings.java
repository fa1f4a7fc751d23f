package io.dualstackd.agent.config;

import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.PodIpOrder;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import java.util.Optional;

/**
 * The settings about this node's pods.
 *
 * @param runtime where the container runtime is; empty: pods are not followed, and nothing below means anything
 * @param cidrs networks of the node's pods; {@link PodCidrs#NONE} to take them from the Node object
 * @param localFailover dead pods are taken out of service before their Service's endpoints change
 * @param order which address of a pod comes first
 * @param cniFile where to write a CNI configuration for {@code cidrs}; empty: nowhere
 */
public record PodSettings(
        Optional<RuntimeEndpoint> runtime,
        PodCidrs cidrs,
        boolean localFailover,
        PodIpOrder order,
        Optional<String> cniFile) {
    /** In the order of kubelet, without a CNI configuration. */
    public PodSettings(Optional<RuntimeEndpoint> runtime, PodCidrs cidrs, boolean localFailover) {
        this(runtime, cidrs, localFailover, PodIpOrder.NODE, Optional.empty());
    }

    /** Pods are not followed. */
    public static final PodSettings NONE = new PodSettings(Optional.empty(), PodCidrs.NONE, false);
}
