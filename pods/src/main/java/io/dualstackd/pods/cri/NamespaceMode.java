package io.dualstackd.pods.cri;

/** Which namespace a sandbox or container uses. */
public enum NamespaceMode {
    /** One shared by the pod's containers; also used when the runtime does not report a mode. */
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
