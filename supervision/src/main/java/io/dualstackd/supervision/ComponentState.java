package io.dualstackd.supervision;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of one component.
 *
 * @param age time since its last beat; time during which the whole process was stopped is not counted
 * @param overdue it has been silent for longer than its deadline
 * @param restarts how often it failed and was started again
 * @param lastFailure its last failure; empty when it has never failed
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

    /** Whether it is overdue and the daemon does not work without it. */
    public boolean isFatal() {
        return overdue && component.isRequired();
    }
}
