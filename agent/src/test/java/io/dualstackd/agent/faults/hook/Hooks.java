package io.dualstackd.agent.faults.hook;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What instrumented methods of the daemon call. */
public final class Hooks {
    private static final Clock STEPPED = new SteppedClock(ZoneOffset.UTC);

    /** Not volatile: it is read at the beginning of every method, and a later read sees it. */
    private static boolean armed;

    private static volatile @Nullable Throwing throwing;
    private static volatile long offsetMillis;

    private Hooks() {}

    /**
     * What to throw.
     *
     * @param thread its name
     * @param method part of {@code class.method} of the caller of {@link #enter}; empty for any
     * @param skip so many methods are entered before
     */
    private record Throwing(String thread, String method, Class<? extends Throwable> what, AtomicInteger skip) {}

    /** The system's clock with the step. */
    private static final class SteppedClock extends Clock {
        private final ZoneId zone;

        private SteppedClock(ZoneId zone) {
            this.zone = zone;
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new SteppedClock(other);
        }

        @Override
        public Instant instant() {
            return now();
        }
    }

    static void arm(String thread, String method, Class<? extends Throwable> what, int skip) {
        throwing = new Throwing(thread, method, what, new AtomicInteger(skip));
        armed = true;
    }

    static void disarm() {
        throwing = null;
        armed = false;
    }

    static boolean isArmed() {
        return armed;
    }

    static void step(long millis) {
        offsetMillis = millis;
    }

    /** At the beginning of every method. */
    public static void enter() {
        if (armed) {
            perhapsThrow();
        }
    }

    private static void perhapsThrow() {
        Throwing now = throwing;
        if (now == null || !Thread.currentThread().getName().equals(now.thread)) {
            return;
        }
        String where = StackWalker.getInstance()
                .walk(frames -> frames.skip(2).findFirst())
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .orElse("");
        if (!where.contains(now.method) || now.skip.getAndDecrement() > 0) {
            return;
        }
        disarm();
        System.err.println("fault-hook: threw " + now.what.getName() + " in "
                + Thread.currentThread().getName() + " at " + where);
        Hooks.<RuntimeException>throwUnchecked(made(now.what));
    }

    private static Throwable made(Class<? extends Throwable> what) {
        try {
            return what.getConstructor(String.class).newInstance("thrown by a test");
        } catch (ReflectiveOperationException e) {
            return new IllegalStateException("thrown by a test", e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable any) throws T {
        throw (T) any;
    }

    /** Instead of {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + offsetMillis;
    }

    /** Instead of {@link Instant#now()}. */
    public static Instant now() {
        return Instant.now().plusMillis(offsetMillis);
    }

    /** Instead of {@link Clock#systemUTC}. */
    public static Clock systemUtc() {
        return STEPPED;
    }

    /** Instead of {@link InstantSource#system}. */
    public static InstantSource system() {
        return STEPPED;
    }
}
