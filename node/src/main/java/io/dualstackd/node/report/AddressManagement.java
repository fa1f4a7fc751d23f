package io.dualstackd.node.report;

/** Which component manages the addresses of a Node object. */
public enum AddressManagement {
    /** Another component, such as a cloud provider: the addresses that it wrote are put into order. */
    ORDER,
    /**
     * As {@link #ORDER}, and addresses of a family that {@code --node-ips} does not mention are removed: for software that cannot handle a
     * second family (KEP-1664, step 2).
     */
    FILTER,
    /**
     * dualstackd, on bare metal: the host's addresses are written, and a kubelet with {@code --cloud-provider=external} need not wait for a
     * provider. Where a provider runs all the same, it must have initialized the node before: it skips nodes that need not wait.
     */
    PROVIDE
}
