package io.dualstackd.node.report;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Prevents a conflict with another writer of the same fields: what has been written {@value #MOST} times within an hour is not written
 * again until the hour is over. Used by one thread.
 */
public final class WriteGuard {
    static final int MOST = 3;
    static final Duration WITHIN = Duration.ofHours(1);

    private record Written(Instant first, int times) {}

    private final Map<Object, Written> written = new HashMap<>();

    /**
     * Whether it may be written now.
     *
     * @param what equal when the same content is written again, whatever the version of the object
     */
    public boolean mayWrite(Object what, Instant now) {
        written.values().removeIf(before -> !before.first.plus(WITHIN).isAfter(now));
        Written before = written.get(what);
        return before == null || before.times < MOST;
    }

    /** Starts to count anew: no other writer has changed what was written. */
    public void forget(Object what) {
        written.remove(what);
    }

    /** Records that it was written. */
    public void wrote(Object what, Instant now) {
        written.merge(what, new Written(now, 1), (before, one) -> new Written(before.first, before.times + 1));
    }
}
