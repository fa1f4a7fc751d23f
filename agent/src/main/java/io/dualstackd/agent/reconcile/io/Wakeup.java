package io.dualstackd.agent.reconcile.io;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A signal that something changed, without saying what. Any number of calls before the waiting thread looks count as one. */
public final class Wakeup {
    private final Semaphore signal = new Semaphore(0);
    private final Semaphore urgent = new Semaphore(0);
    private final Runnable alsoTell;

    public Wakeup() {
        this(() -> {});
    }

    /** @param alsoTell called first, on the signalling thread; must not block */
    public Wakeup(Runnable alsoTell) {
        this.alsoTell = alsoTell;
    }

    public void signal() {
        alsoTell.run();
        // The check keeps the count near one; a rare second permit only causes one empty look.
        if (signal.availablePermits() == 0) {
            signal.release();
        }
    }

    /** Signals, and also ends {@link #rest}. */
    public void urgently() {
        if (urgent.availablePermits() == 0) {
            urgent.release();
        }
        signal();
    }

    /**
     * Coalesces ordinary wakeups for the given time. An urgent one, given since the last wait or rest, ends it at once.
     *
     * @return whether there was an urgent one
     */
    public boolean rest(Duration time) throws InterruptedException {
        return time.isPositive() && urgent.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns whether a wakeup is pending. */
    public boolean isPending() {
        return signal.availablePermits() > 0;
    }

    /** Waits for a wakeup, at most {@code longest}; returns whether one came. */
    public boolean await(Duration longest) throws InterruptedException {
        boolean nudged = signal.tryAcquire(Math.max(0, longest.toNanos()), TimeUnit.NANOSECONDS);
        signal.drainPermits();
        urgent.drainPermits();
        return nudged;
    }
}
