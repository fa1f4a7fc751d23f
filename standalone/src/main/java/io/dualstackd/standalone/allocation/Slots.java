package io.dualstackd.standalone.allocation;

import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Numbers from 0 that are taken and released. The first ones are the static band: automatic allocation leaves them to explicit requests,
 * and takes them only when nothing else is free (KEP-3070, KEP-3668).
 */
final class Slots {
    private final long size;
    private final long staticSize;
    private final RangeSet taken = new RangeSet();

    /**
     * @param size how many numbers there are, unsigned
     * @param staticSize how many of them are the static band, not more than {@code size}
     */
    Slots(long size, long staticSize) {
        this.size = size;
        this.staticSize = staticSize;
    }

    /** A random free number, from the dynamic band while it has one. It is not taken yet. */
    OptionalLong next(RandomGenerator random) {
        OptionalLong dynamic = nextIn(staticSize, size, random);
        return dynamic.isPresent() ? dynamic : nextIn(0, staticSize, random);
    }

    /** Searches from a random number upwards, and then from the beginning. */
    private OptionalLong nextIn(long from, long end, RandomGenerator random) {
        if (from == end) {
            return OptionalLong.empty();
        }
        long start = from + Long.remainderUnsigned(random.nextLong(), end - from);
        OptionalLong above = taken.firstAbsent(start, end - 1);
        return above.isPresent() || start == from ? above : taken.firstAbsent(from, start - 1);
    }

    /** Takes a number; false when it is in use. */
    boolean take(long number) {
        return taken.add(number);
    }

    /** Releases a number; false when it was not in use. */
    boolean giveBack(long number) {
        return taken.remove(number);
    }

    boolean isTaken(long number) {
        return taken.contains(number);
    }

    /** The number of free numbers, unsigned. */
    long free() {
        return size - taken.count();
    }

    /** The number of taken numbers, unsigned. */
    long taken() {
        return taken.count();
    }
}
