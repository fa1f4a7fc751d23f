package io.dualstackd.supervision.io;

import io.dualstackd.supervision.Heartbeat;
import java.time.Duration;

/** Splits long waits of a component into parts with beats in between. */
public final class BoundedWait {
    /** Longer than any wait. */
    public static final Duration FOREVER = Duration.ofDays(365);

    private BoundedWait() {}

    /** One wait. */
    @FunctionalInterface
    public interface Wait {
        /** Waits, and returns whether the awaited event occurred within that time. */
        boolean within(Duration time) throws InterruptedException;
    }

    /**
     * Waits for at most {@code whole} in total, with beats in between.
     *
     * @return whether the awaited event occurred
     */
    public static boolean inParts(Heartbeat heartbeat, Duration whole, Wait wait) throws InterruptedException {
        long left = Math.max(0, whole.toNanos());
        long until = System.nanoTime() + left;
        while (true) {
            heartbeat.beat();
            boolean came = wait.within(heartbeat.atMost(Duration.ofNanos(left)));
            left = until - System.nanoTime();
            if (came || left <= 0) {
                heartbeat.beat();
                return came;
            }
        }
    }
}
