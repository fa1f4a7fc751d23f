package io.dualstackd.node.report;

/** Who says which addresses a node has. */
public enum AddressManagement {
    /** Somebody else, such as a cloud provider: what he wrote is put into order. */
    ORDER,
    /**
     * We, on bare metal: what the host has is written, and a kubelet with {@code --cloud-provider=external} need not wait for a provider.
     * Where a provider runs all the same, it must have taken the node before: it passes over nodes that need not wait.
     */
    PROVIDE
}
