package io.dualstackd.supervision.sys;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/**
 * A clock that returns the system's time as of the clock's creation plus the time elapsed since, and cannot be set. For durations and
 * deadlines: when the system's clock is set back by an hour, no wait gets an hour longer.
 */
public final class SteadyClock extends Clock {
    @SuppressWarnings("TimeInStaticInitializer") // which moment it begins at does not matter
    private static final SteadyClock PROCESS = new SteadyClock(Instant.now(), System::nanoTime);

    private final Instant start;
    private final LongSupplier nanos;
    private final long first;

    /** @param nanos counts up like {@link System#nanoTime} */
    public SteadyClock(Instant start, LongSupplier nanos) {
        this.start = start;
        this.nanos = nanos;
        this.first = nanos.getAsLong();
    }

    /** The clock that all parts of the process use for comparisons. */
    public static SteadyClock ofProcess() {
        return PROCESS;
    }

    /** The current time of {@link #ofProcess}. */
    public static Instant now() {
        return PROCESS.instant();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanos.getAsLong() - first);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("instants only");
    }
}
