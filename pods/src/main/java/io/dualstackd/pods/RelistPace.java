package io.dualstackd.pods;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Decides when to request the runtime's lists again.
 *
 * <p>Lists are rare while events report every change. After a list that shows a change without an event, events are not relied on for a
 * while: some runtimes lose events, or distribute them among subscribers. Not thread-safe; the caller passes the time.
 */
public final class RelistPace {
    /** The interval without reliable events, as in kubelet. */
    public static final Duration SHORT = Duration.ofSeconds(1);
    /** The interval with reliable events. */
    public static final Duration LONG = Duration.ofSeconds(60);
    /** Some runtimes lose an event after a new subscription. */
    static final Duration PROBATION = Duration.ofSeconds(10);

    static final Duration DISTRUST = Duration.ofMinutes(10);
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);
    private static final Duration FIRST_DOUBT = Duration.ofMillis(5);
    /** Runtimes notice an exit some 50 ms after the kernel reports it. */
    private static final Duration LAST_DOUBT = Duration.ofMillis(20);
    /** After that many checks, 1.3 s in all, the runtime's state is accepted. */
    private static final int MAX_DOUBTS = 64;

    private EventFlow flow = EventFlow.BROKEN;
    private Instant trustedFrom = Instant.MAX;
    private Set<String> unread = Set.of();
    private Instant unreadFrom = Instant.MIN;
    private int failures;
    /** By process: how many lists in a row have shown its sandbox as ready since its exit. */
    private final Map<Integer, Integer> doubts = new HashMap<>();

    /** The state of the event stream now. */
    public void flow(EventFlow now, Instant at) {
        if (now != flow) {
            flow = now;
            trustedFrom = now == EventFlow.FLOWING ? at.plus(PROBATION) : Instant.MAX;
        }
    }

    /**
     * The lists were read.
     *
     * @param unannounced they showed a change, and no event had come since the previous lists
     * @param doubtful processes whose exit the kernel reported and whose sandbox the runtime still lists as ready
     */
    public void listed(boolean unannounced, Set<Integer> doubtful, Instant at) {
        failures = 0;
        doubts.keySet().retainAll(doubtful);
        doubtful.forEach(process -> doubts.merge(process, 1, Integer::sum));
        if (unannounced && flow == EventFlow.FLOWING) {
            trustedFrom = at.plus(DISTRUST);
        }
    }

    /**
     * The sandboxes that are not fully known after a list: no event may come when their status can be read. The longer they stay the same,
     * the longer the intervals, because some never get an address.
     */
    public void unread(Set<String> ids, Instant at) {
        if (!unread.containsAll(ids)) {
            unreadFrom = at;
        }
        unread = Set.copyOf(ids);
    }

    /** The runtime did not answer. */
    public void failed() {
        failures++;
    }

    /** Whether the exit of this process, which the kernel reported and the runtime did not, should still be checked. */
    public boolean stillDoubts(int process) {
        return doubts.getOrDefault(process, 0) <= MAX_DOUBTS;
    }

    /** Whether events are relied on. */
    public boolean trustsEvents(Instant now) {
        return !now.isBefore(trustedFrom);
    }

    /** The time to wait now without a wakeup. */
    public Duration wait(Instant now) {
        if (failures > 0) {
            return doubled(FIRST_RETRY, failures - 1, LAST_RETRY);
        }
        OptionalInt newestDoubt = doubts.values().stream()
                .filter(times -> times <= MAX_DOUBTS)
                .mapToInt(Integer::intValue)
                .min();
        if (newestDoubt.isPresent()) {
            return doubled(FIRST_DOUBT, newestDoubt.getAsInt() - 1, LAST_DOUBT);
        }
        if (!trustsEvents(now)) {
            return SHORT;
        }
        return unread.isEmpty() ? LONG : between(SHORT, Duration.between(unreadFrom, now), LONG);
    }

    private static Duration between(Duration least, Duration wait, Duration most) {
        Duration limited = wait.compareTo(most) < 0 ? wait : most;
        return limited.compareTo(least) > 0 ? limited : least;
    }

    private static Duration doubled(Duration first, int times, Duration most) {
        Duration wait = first.multipliedBy(1L << Math.min(times, 20));
        return wait.compareTo(most) < 0 ? wait : most;
    }
}
