package io.dualstackd.standalone.allocation;

import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A set of unsigned 64-bit numbers, kept as runs of consecutive numbers. Every operation is logarithmic in the number of runs. */
final class RangeSet {
    private static final Comparator<Long> UNSIGNED = Long::compareUnsigned;

    /** The first number of each run with its last one; runs neither overlap nor touch. */
    private final NavigableMap<Long, Long> runs = new TreeMap<>(UNSIGNED);

    private long count;

    /** The number of elements, unsigned. */
    long count() {
        return count;
    }

    boolean contains(long number) {
        Map.Entry<Long, Long> run = runs.floorEntry(number);
        return run != null && UNSIGNED.compare(number, run.getValue()) <= 0;
    }

    /** Adds a number; false when it was in the set before. */
    boolean add(long number) {
        Map.Entry<Long, Long> before = runs.floorEntry(number);
        if (before != null && UNSIGNED.compare(number, before.getValue()) <= 0) {
            return false;
        }
        long first = before != null && before.getValue() + 1 == number ? before.getKey() : number;
        Long lastOfNext = number == -1L ? null : runs.remove(number + 1);
        runs.put(first, lastOfNext == null ? number : lastOfNext);
        count++;
        return true;
    }

    /** Removes a number; false when it was not in the set. */
    boolean remove(long number) {
        Map.Entry<Long, Long> run = runs.floorEntry(number);
        if (run == null || UNSIGNED.compare(number, run.getValue()) > 0) {
            return false;
        }
        long first = run.getKey();
        long last = run.getValue();
        runs.remove(first);
        if (first != number) {
            runs.put(first, number - 1);
        }
        if (last != number) {
            runs.put(number + 1, last);
        }
        count--;
        return true;
    }

    /** The smallest number from {@code from} to {@code last} that is not in the set. */
    OptionalLong firstAbsent(long from, long last) {
        if (UNSIGNED.compare(from, last) > 0) {
            return OptionalLong.empty();
        }
        Map.Entry<Long, Long> run = runs.floorEntry(from);
        if (run == null || UNSIGNED.compare(from, run.getValue()) > 0) {
            return OptionalLong.of(from);
        }
        long end = run.getValue();
        return UNSIGNED.compare(end, last) >= 0 ? OptionalLong.empty() : OptionalLong.of(end + 1);
    }
}
