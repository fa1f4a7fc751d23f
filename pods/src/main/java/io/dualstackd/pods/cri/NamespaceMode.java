package io.dualstackd.pods.cri;

/** Whose namespace is used. */
public enum NamespaceMode {
    /** One that the pod's containers share; what a sandbox has whose runtime says nothing. */
    POD,
    /** One of the container alone. */
    CONTAINER,
    /** The node's. */
    NODE,
    /** That of another container. */
    TARGET,
    /** One that this version has no name for. */
    UNKNOWN
}
