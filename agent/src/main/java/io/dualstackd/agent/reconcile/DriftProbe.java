package io.dualstackd.agent.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * From time to time: were our rules changed behind our back? The kernel only tells that somebody changed something. Who it was
 * comes a moment later, by the other line or with the kernel's news, so only what is still unexplained at a second look counts. Used
 * by one thread, but for {@link #ask}.
 */
public final class DriftProbe {
    /** Between the first look and the second: long for a transaction on its way, short for rules that are wrong. */
    static final Duration SECOND = Duration.ofMillis(200);

    private final AtomicBoolean asked = new AtomicBoolean();
    private Instant last = Instant.MIN;
    private boolean suspicious;

    /** Somebody wants a look soon; for any thread. */
    public void ask() {
        asked.set(true);
    }

    /** Whether it is time to look. Whoever is told so looks. */
    public boolean due(Instant now, Duration period) {
        if (suspicious) {
            return !last.plus(SECOND).isAfter(now);
        }
        return asked.getAndSet(false) || !last.plus(period).isAfter(now);
    }

    /** Takes what a look showed; says whether that is proof enough to compare everything. */
    public boolean proves(boolean changed, Instant now) {
        boolean proof = changed && suspicious;
        suspicious = changed && !proof;
        last = now;
        return proof;
    }

    /** How long to wait until the next look, when the ordinary ones are {@code period} apart. */
    public Duration wait(Duration period) {
        return suspicious && SECOND.compareTo(period) < 0 ? SECOND : period;
    }
}
