package io.dualstackd.supervision;

import java.time.Duration;
import java.util.Optional;

/**
 * How one component is.
 *
 * @param age how long ago it last showed that it lives; time during which the whole process was stopped is not counted
 * @param overdue it has been silent for longer than it may
 * @param restarts how often it failed and was started again
 * @param lastFailure the last time it failed; empty when it never did
 */
public record ComponentState(
        Component component, Duration age, boolean overdue, long restarts, Optional<Failure> lastFailure) {
    /**
     * A failure after which the component was started again.
     *
     * @param ago how long ago
     * @param what the exception
     */
    public record Failure(Duration ago, String what) {}

    /** Overdue, and the daemon does not do its work without it. */
    public boolean isFatal() {
        return overdue && component.isRequired();
    }
}
