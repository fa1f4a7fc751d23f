package io.dualstackd.agent.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides when to check whether our rules were changed without a notification of it. The kernel's generation only shows that something
 * changed. The author becomes known a moment later, from the other reconciler or from the kernel's notifications, so only a change that is
 * still unexplained at a second look counts. Used by one thread, except {@link #request}.
 */
public final class DriftProbe {
    /** The time between the first look and the second: long enough for a transaction in flight, short enough when rules are wrong. */
    static final Duration SECOND = Duration.ofMillis(200);

    private final AtomicBoolean requested = new AtomicBoolean();
    private Instant last = Instant.MIN;
    private boolean suspicious;

    /** Requests a look soon; may be called from any thread. */
    public void request() {
        requested.set(true);
    }

    /** Returns whether it is time to look. The caller must look when this is true. */
    public boolean due(Instant now, Duration period) {
        if (suspicious) {
            return !last.plus(SECOND).isAfter(now);
        }
        return requested.getAndSet(false) || !last.plus(period).isAfter(now);
    }

    /** Records what a look showed; returns whether that is reason enough to compare everything. */
    public boolean proves(boolean changed, Instant now) {
        boolean proof = changed && suspicious;
        suspicious = changed && !proof;
        last = now;
        return proof;
    }

    /** Returns how long to wait until the next look, when regular looks are {@code period} apart. */
    public Duration wait(Duration period) {
        return suspicious && SECOND.compareTo(period) < 0 ? SECOND : period;
    }
}
