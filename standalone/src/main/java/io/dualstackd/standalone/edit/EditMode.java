package io.dualstackd.standalone.edit;

/** The effect of a request that is accepted. */
public enum EditMode {
    /** It is written. */
    NOW,
    /** Only the result is reported. */
    DRY_RUN,
    /** Only the differences are reported, as a unified diff. */
    DIFF
}
