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

    private record Written(Instant first, int times, boolean logged) {}

    private final Map<Object, Written> written = new HashMap<>();

    /** The decision whether to write. */
    public enum Verdict {
        WRITE,
        /** Do not write, and log it now. */
        STOP,
        /** Do not write; this has been logged before. */
        STAY
    }

    /** @param what equal when the same content is written again, whatever the version of the object */
    public Verdict check(Object what, Instant now) {
        written.values().removeIf(before -> !before.first.plus(WITHIN).isAfter(now));
        Written before = written.get(what);
        if (before == null || before.times < MOST) {
            return Verdict.WRITE;
        }
        written.put(what, new Written(before.first, before.times, true));
        return before.logged ? Verdict.STAY : Verdict.STOP;
    }

    /** Records that it was written. */
    public void wrote(Object what, Instant now) {
        written.merge(
                what, new Written(now, 1, false), (before, one) -> new Written(before.first, before.times + 1, false));
    }
}
