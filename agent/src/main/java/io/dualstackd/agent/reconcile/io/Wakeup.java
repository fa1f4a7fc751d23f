package io.dualstackd.agent.reconcile.io;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** "Something changed", without saying what: any number of calls before the waiter looks are one. */
public final class Wakeup {
    private final Semaphore signal = new Semaphore(0);
    private final Semaphore urgent = new Semaphore(0);
    private final Runnable alsoTell;

    public Wakeup() {
        this(() -> {});
    }

    /** @param alsoTell told first, by whoever nudges; must not block */
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

    /** A nudge that also ends {@link #rest}. */
    public void urgently() {
        if (urgent.availablePermits() == 0) {
            urgent.release();
        }
        signal();
    }

    /**
     * Lets ordinary nudges melt together for that long; an urgent one ends it, and was then given since the last wait or rest.
     *
     * @return whether one did
     */
    public boolean rest(Duration time) throws InterruptedException {
        return time.isPositive() && urgent.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether there is a nudge to be waited for no longer. */
    public boolean isPending() {
        return signal.availablePermits() > 0;
    }

    /** Waits for a nudge, at most {@code longest}; says whether one came. */
    public boolean await(Duration longest) throws InterruptedException {
        boolean nudged = signal.tryAcquire(Math.max(0, longest.toNanos()), TimeUnit.NANOSECONDS);
        signal.drainPermits();
        urgent.drainPermits();
        return nudged;
    }
}
