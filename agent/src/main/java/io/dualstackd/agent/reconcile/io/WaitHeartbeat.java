package io.dualstackd.agent.reconcile.io;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Proof that a thread is not stuck: it beats again and again while it waits, and between two waits. Who never comes back to wait, beats
 * no more. {@link #last} may be asked from any thread, everything else belongs to the one that beats.
 */
final class WaitHeartbeat {
    private final long every;
    private volatile long last = System.nanoTime();

    /** @param every how often it beats in a long wait */
    WaitHeartbeat(Duration every) {
        this.every = every.toNanos();
    }

    /** When it last beat, as {@link System#nanoTime} counts. */
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

    /** Waits that long whatever is nudged; ends early only with {@code end}. */
    void holdOff(CountDownLatch end, Duration time) throws InterruptedException {
        boolean ignored = parts(time, part -> end.await(part.toNanos(), TimeUnit.NANOSECONDS));
    }

    private interface Part {
        /** Says whether it ended before its time. */
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
