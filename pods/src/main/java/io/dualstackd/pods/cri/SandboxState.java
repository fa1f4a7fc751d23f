package io.dualstackd.pods.cri;

/** Whether a sandbox holds its pod's network. A closed set: a state without a name here is {@link #NOT_READY}. */
public enum SandboxState {
    READY,
    NOT_READY
}
