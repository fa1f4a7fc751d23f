package io.dualstackd.pods;

/** Which address of a pod comes first. */
public enum PodIpOrder {
    /** The one of the node's first family, as in kubelet. */
    NODE("node"),
    /** The one that the container runtime names first, as the text of KEP-563 says. */
    RUNTIME("runtime");

    private final String label;

    PodIpOrder(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
