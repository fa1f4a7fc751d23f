package io.dualstackd.pods.cri;

/** The lifecycle state of a container. A closed set: a state without a name here is {@link #UNKNOWN}. */
public enum ContainerState {
    CREATED,
    RUNNING,
    EXITED,
    UNKNOWN
}
