package io.dualstackd.pods.cri;

/** Where a container is in its life. Set that we close: a state without a name here is {@link #UNKNOWN}. */
public enum ContainerState {
    CREATED,
    RUNNING,
    EXITED,
    UNKNOWN
}
