package io.dualstackd.pods;

/** The state of the event stream of the container runtime. */
public enum EventFlow {
    /** This runtime does not offer events. */
    NOT_OFFERED("not offered"),
    /** The stream is open. */
    FLOWING("flowing"),
    /** There is no stream at the moment, or the state is not known yet. */
    BROKEN("interrupted");

    private final String label;

    EventFlow(String label) {
        this.label = label;
    }

    /** A readable form, for logs and status output. */
    @Override
    public String toString() {
        return label;
    }
}
