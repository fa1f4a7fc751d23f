package io.dualstackd.pods.cri;

import java.time.Duration;

/**
 * How long to wait for a runtime.
 *
 * @param call for an answer, connecting included; more than 0
 * @param firstRetry after the first time nobody was there; more than 0
 * @param longestRetry after many times; the wait doubles from one to the other
 */
public record RuntimeTimeouts(Duration call, Duration firstRetry, Duration longestRetry) {
    /** A runtime that is busy starting a hundred pods answers a list in seconds; one that was restarted should be found soon. */
    public static final RuntimeTimeouts USUAL =
            new RuntimeTimeouts(Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofSeconds(3));

    public RuntimeTimeouts {
        if (!call.isPositive() || !firstRetry.isPositive() || longestRetry.compareTo(firstRetry) < 0) {
            throw new IllegalArgumentException("patience is positive and the longest wait is not below the first: call "
                    + call + ", first " + firstRetry + ", longest " + longestRetry);
        }
    }
}
