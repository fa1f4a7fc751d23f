package io.dualstackd.agent.reconcile.io;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows that a thread is not stuck: it beats repeatedly while the thread waits, and between two waits. A thread that never returns to wait
 * beats no more. {@link #last} may be called from any thread, everything else by the beating thread only.
 */
final class WaitHeartbeat {
    private final long every;
    private volatile long last = System.nanoTime();

    /** @param every how often it beats during a long wait */
    WaitHeartbeat(Duration every) {
        this.every = every.toNanos();
    }

    /** The time of the last beat, by {@link System#nanoTime}. */
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
    void holdOff(CountDownLatch end, Duration time) throws InterruptedException {
        boolean ignored = parts(time, part -> end.await(part.toNanos(), TimeUnit.NANOSECONDS));
    }

    private interface Part {
        /** Returns whether it ended early. */
        boolean run(Duration time) throws InterruptedException;
    }

    private boolean parts(Duration whole, Part part) throws InterruptedException {
        long left = Math.max(0, whole.toNanos());
        long until = System.nanoTime() + left;
        while (true) {
            last = System.nanoTime();
            if (part.run(Duration.ofNanos(Math.min(left, every)))) {
                last = System.nanoTime();
                return true;
            }
            left = until - System.nanoTime();
            if (left <= 0) {
                last = System.nanoTime();
                return false;
            }
        }
    }
}
