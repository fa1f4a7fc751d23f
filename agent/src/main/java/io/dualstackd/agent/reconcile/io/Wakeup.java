package io.dualstackd.agent.reconcile.io;

import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;

/** A signal that something changed, without saying what. Any number of calls before the waiting thread looks count as one. */
public final class Wakeup {
    private final Platform platform;
    private final Platform.Permits signal;
    private final Platform.Permits urgent;
    private final Runnable alsoTell;

    public Wakeup() {
        this(Platform.system(), () -> {});
    }

    /** @param alsoTell called first, on the signalling thread; must not block */
    public Wakeup(Platform platform, Runnable alsoTell) {
        this.platform = platform;
        this.signal = platform.permits();
        this.urgent = platform.permits();
        this.alsoTell = alsoTell;
    }

    /** The platform of the waiting thread. */
    Platform platform() {
        return platform;
    }

    public void signal() {
        alsoTell.run();
        // The check keeps the count near one; a rare second permit only causes one empty look.
        if (signal.available() == 0) {
            signal.release();
        }
    }

    /** Signals, and also ends {@link #rest}. */
    public void urgently() {
        if (urgent.available() == 0) {
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
        return time.isPositive() && urgent.tryAcquire(time);
    }

    /** Returns whether a wakeup is pending. */
    public boolean isPending() {
        return signal.available() > 0;
    }

    /** Waits for a wakeup, at most {@code longest}; returns whether one came. */
    public boolean await(Duration longest) throws InterruptedException {
        if (!signal.tryAcquire(longest)) {
            // A wakeup that comes now is for the next wait.
            return false;
        }
        signal.drain();
        urgent.drain();
        return true;
    }
}
