package io.dualstackd.pods.cri;

/** Which component manages the control groups on this node. */
public enum CgroupDriver {
    SYSTEMD,
    CGROUPFS,
    /** One that this version has no name for, or the runtime did not report it. */
    UNKNOWN
}
