package io.dualstackd.standalone.allocation;

import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Numbers from 0 that are taken and given back. The first ones are the static band: automatic choice leaves them to those who name
 * a number, and takes them only when nothing else is free (KEP-3070, KEP-3668).
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

    /** A free number by lot, out of the dynamic band while it has one. It is not taken yet. */
    OptionalLong next(RandomGenerator random) {
        OptionalLong dynamic = nextIn(staticSize, size, random);
        return dynamic.isPresent() ? dynamic : nextIn(0, staticSize, random);
    }

    /** From a random place upwards, and then from the beginning. */
    private OptionalLong nextIn(long from, long end, RandomGenerator random) {
        if (from == end) {
            return OptionalLong.empty();
        }
        long start = from + Long.remainderUnsigned(random.nextLong(), end - from);
        OptionalLong above = taken.firstAbsent(start, end - 1);
        return above.isPresent() || start == from ? above : taken.firstAbsent(from, start - 1);
    }

    /** False when somebody has it. */
    boolean take(long number) {
        return taken.add(number);
    }

    /** False when nobody had it. */
    boolean giveBack(long number) {
        return taken.remove(number);
    }

    boolean isTaken(long number) {
        return taken.contains(number);
    }

    /** How many are free, unsigned. */
    long free() {
        return size - taken.count();
    }

    /** How many are taken, unsigned. */
    long taken() {
        return taken.count();
    }
}
