package io.dualstackd.pods.cri;

import java.time.Duration;

/**
 * Timeouts and retry intervals for requests to a runtime.
 *
 * @param call longest wait for an answer, connecting included; more than 0
 * @param firstRetry wait after the first failed connection; more than 0
 * @param longestRetry longest wait after repeated failures; the wait doubles from one to the other
 */
public record RuntimeTimeouts(Duration call, Duration firstRetry, Duration longestRetry) {
    /** Usual values: a runtime that is starting a hundred pods answers a list in seconds; one that was restarted should be found soon. */
    public static final RuntimeTimeouts USUAL =
            new RuntimeTimeouts(Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofSeconds(3));

    public RuntimeTimeouts {
        if (!call.isPositive() || !firstRetry.isPositive() || longestRetry.compareTo(firstRetry) < 0) {
            throw new IllegalArgumentException(
                    "timeouts are positive and the longest retry is not below the first: call " + call + ", first "
                            + firstRetry + ", longest " + longestRetry);
        }
    }
}
