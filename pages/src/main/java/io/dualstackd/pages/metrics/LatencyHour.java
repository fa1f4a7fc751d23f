package io.dualstackd.pages.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The latencies of the changes of the last hour: how many there were in each ten seconds, the shortest and the longest. One thread
 * records, without allocating; any thread reads.
 */
public final class LatencyHour {
    private static final Duration SPAN = Duration.ofHours(1);
    /** The time that one slot stands for. */
    static final Duration STEP = Duration.ofSeconds(10);

    private static final int SLOTS = (int) SPAN.dividedBy(STEP);

    /** Of each slot: which ten seconds since 1970 it stands for; written after the rest of a new slot is cleared. */
    private final AtomicLongArray numbers = new AtomicLongArray(SLOTS);

    private final AtomicIntegerArray counts = new AtomicIntegerArray(SLOTS);
    private final AtomicLongArray shortest = new AtomicLongArray(SLOTS);
    private final AtomicLongArray longest = new AtomicLongArray(SLOTS);

    /**
     * The changes of ten seconds.
     *
     * @param atMillis when these began, since 1970
     * @param count of changes, at least 1
     * @param shortest in nanoseconds
     * @param longest in nanoseconds
     */
    public record Slot(long atMillis, int count, long shortest, long longest) {}

    /**
     * Records a change.
     *
     * @param nowMillis since 1970
     * @param took in nanoseconds
     */
    void note(long nowMillis, long took) {
        long number = nowMillis / STEP.toMillis();
        int slot = (int) (number % SLOTS);
        if (numbers.get(slot) != number) {
            counts.set(slot, 0);
            shortest.set(slot, Long.MAX_VALUE);
            longest.set(slot, 0);
            numbers.set(slot, number);
        }
        shortest.set(slot, Math.min(shortest.get(slot), took));
        longest.set(slot, Math.max(longest.get(slot), took));
        counts.set(slot, counts.get(slot) + 1);
    }

    /** The slots of the last hour with changes, in the order of time. */
    public List<Slot> slots(long nowMillis) {
        long now = nowMillis / STEP.toMillis();
        List<Slot> slots = new ArrayList<>();
        for (long number = now - SLOTS + 1; number <= now; number++) {
            int slot = (int) Math.floorMod(number, (long) SLOTS);
            Slot read = new Slot(number * STEP.toMillis(), counts.get(slot), shortest.get(slot), longest.get(slot));
            if (read.count() > 0 && numbers.get(slot) == number) {
                slots.add(read);
            }
        }
        return slots;
    }
}
