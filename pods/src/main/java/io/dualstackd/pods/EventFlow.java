package io.dualstackd.pods;

/** How news of the container runtime comes. */
public enum EventFlow {
    /** This runtime sends none. */
    NOT_OFFERED("not offered"),
    /** They flow. */
    FLOWING("flowing"),
    /** There is no stream at the moment, or nobody knows yet. */
    BROKEN("interrupted");

    private final String label;

    EventFlow(String label) {
        this.label = label;
    }

    /** For people. */
    @Override
    public String toString() {
        return label;
    }
}
