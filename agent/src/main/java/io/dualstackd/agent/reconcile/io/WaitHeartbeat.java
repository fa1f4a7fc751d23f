package io.dualstackd.agent.reconcile.io;

import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;

/**
 * Shows that a thread is not stuck: it beats repeatedly while the thread waits, and between two waits. A thread that never returns to wait
 * beats no more. {@link #last} may be called from any thread, everything else by the beating thread only.
 */
final class WaitHeartbeat {
    private final long every;
    private final Platform platform;
    private volatile long last;

    /** @param every how often it beats during a long wait */
    WaitHeartbeat(Platform platform, Duration every) {
        this.platform = platform;
        this.last = platform.nanoTime();
        this.every = every.toNanos();
    }

    /** The time of the last beat, by {@link Platform#nanoTime}. */
    long last() {
        return last;
    }

    /** As {@link Wakeup#await}. */
    boolean await(Wakeup wakeup, Duration longest) throws InterruptedException {
        return parts(longest, wakeup::await);
    }

    /** As {@link Wakeup#rest}. */
    void rest(Wakeup wakeup, Duration time) throws InterruptedException {
        if (time.isPositive()) {
            boolean ignored = parts(time, wakeup::rest);
        }
    }

    /** Waits for the given time, ignoring wakeups; only {@code end} ends it early. */
    void holdOff(Platform.Latch end, Duration time) throws InterruptedException {
        boolean ignored = parts(time, end::await);
    }

    private interface Part {
        /** Returns whether it ended early. */
        boolean run(Duration time) throws InterruptedException;
    }

    private boolean parts(Duration whole, Part part) throws InterruptedException {
        long left = Math.max(0, whole.toNanos());
        long until = platform.nanoTime() + left;
        while (true) {
            last = platform.nanoTime();
            if (part.run(Duration.ofNanos(Math.min(left, every)))) {
                last = platform.nanoTime();
                return true;
            }
            left = until - platform.nanoTime();
            if (left <= 0) {
                last = platform.nanoTime();
                return false;
            }
        }
    }
}
