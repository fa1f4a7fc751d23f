package io.dualstackd.supervision.io;

import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.sys.Platform;
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

    /** As {@link #inParts(Platform, Heartbeat, Duration, Wait)}, by the clock of this process. */
    public static boolean inParts(Heartbeat heartbeat, Duration whole, Wait wait) throws InterruptedException {
        return inParts(Platform.system(), heartbeat, whole, wait);
    }

    /**
     * Waits for at most {@code whole} in total, with beats in between.
     *
     * @return whether the awaited event occurred
     */
    public static boolean inParts(Platform platform, Heartbeat heartbeat, Duration whole, Wait wait)
            throws InterruptedException {
        long left = Math.max(0, whole.toNanos());
        long until = platform.nanoTime() + left;
        while (true) {
            heartbeat.beat();
            boolean came = wait.within(heartbeat.atMost(Duration.ofNanos(left)));
            left = until - platform.nanoTime();
            if (came || left <= 0) {
                heartbeat.beat();
                return came;
            }
        }
    }
}
