package io.dualstackd.pods;

import java.time.Duration;
import java.time.Instant;

/**
 * When to ask the runtime for its lists again.
 *
 * <p>Events make lists rare, as long as they tell everything. A list that shows a change no event told of costs them their trust for a
 * while: some runtimes lose events, or share them out among listeners. Not thread-safe; the caller tells the time.
 */
public final class RelistPace {
    /** Without trusted events, as kubelet does. */
    public static final Duration SHORT = Duration.ofSeconds(1);
    /** With them. */
    public static final Duration LONG = Duration.ofSeconds(60);
    /** Some runtimes lose an event after a new subscription. */
    static final Duration PROBATION = Duration.ofSeconds(10);

    static final Duration DISTRUST = Duration.ofMinutes(10);
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);
    private static final Duration FIRST_DOUBT = Duration.ofMillis(5);
    /** Runtimes hear of an exit some 50 ms after the kernel told us. */
    private static final Duration LAST_DOUBT = Duration.ofMillis(20);
    /** After that many looks, 1.3 s in all, the runtime is believed. */
    private static final int MAX_DOUBTS = 64;

    private EventFlow flow = EventFlow.BROKEN;
    private Instant trustedFrom = Instant.MAX;
    private int failures;
    private int doubts;

    /** The state of the event stream now. */
    public void flow(EventFlow now, Instant at) {
        if (now != flow) {
            flow = now;
            trustedFrom = now == EventFlow.FLOWING ? at.plus(PROBATION) : Instant.MAX;
        }
    }

    /**
     * The lists came.
     *
     * @param unannounced they showed a change, and no event had come since the lists before
     * @param doubtful the kernel says that a process has ended whose sandbox the runtime still calls ready
     */
    public void listed(boolean unannounced, boolean doubtful, Instant at) {
        failures = 0;
        doubts = doubtful ? doubts + 1 : 0;
        if (unannounced && flow == EventFlow.FLOWING) {
            trustedFrom = at.plus(DISTRUST);
        }
    }

    /** The runtime did not answer. */
    public void failed() {
        failures++;
    }

    /** Whether what the kernel said of a process is still worth asking about. */
    public boolean stillDoubts() {
        return doubts <= MAX_DOUBTS;
    }

    /** Whether events are relied on. */
    public boolean trustsEvents(Instant now) {
        return !now.isBefore(trustedFrom);
    }

    /** How long to wait now when nobody nudges. */
    public Duration wait(Instant now) {
        if (failures > 0) {
            return doubled(FIRST_RETRY, failures - 1, LAST_RETRY);
        }
        if (doubts > 0 && stillDoubts()) {
            return doubled(FIRST_DOUBT, doubts - 1, LAST_DOUBT);
        }
        return trustsEvents(now) ? LONG : SHORT;
    }

    private static Duration doubled(Duration first, int times, Duration most) {
        Duration wait = first.multipliedBy(1L << Math.min(times, 20));
        return wait.compareTo(most) < 0 ? wait : most;
    }
}
