package io.dualstackd.standalone.allocation;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** Node ports: a range of which some are in use. Used by one thread. */
public final class PortPool {
    private static final int SMALLEST_STATIC = 16;
    private static final int LARGEST_STATIC = 128;

    private final int first;
    private final int size;
    private final Slots slots;

    /**
     * @param first 1 to 65535
     * @param last not below {@code first}
     */
    public PortPool(int first, int last) {
        if (first < 1 || last > 65_535 || last < first) {
            throw new IllegalArgumentException("ports " + first + "-" + last + " are no range within 1-65535");
        }
        this.first = first;
        this.size = last - first + 1;
        this.slots = new Slots(size, staticSize(size));
    }

    /** How many of the first ports of a range are left to those who name one: a thirty-second, 16 to 128, none of the smallest. */
    public static int staticSize(int size) {
        return size <= SMALLEST_STATIC ? 0 : Math.clamp(size / 32, SMALLEST_STATIC, LARGEST_STATIC);
    }

    public boolean contains(int port) {
        return port >= first && port < first + size;
    }

    /** Takes a free port by lot; empty when all are in use. */
    public OptionalInt take(RandomGenerator random) {
        OptionalLong number = slots.next(random);
        if (number.isEmpty()) {
            return OptionalInt.empty();
        }
        slots.take(number.getAsLong());
        return OptionalInt.of(first + (int) number.getAsLong());
    }

    /** Takes the port asked for, which is {@linkplain #contains in the range}; false when it is in use. */
    public boolean take(int port) {
        return slots.take(number(port));
    }

    /** Whoever had the port has it no longer; nothing when nobody had it. */
    public void giveBack(int port) {
        slots.giveBack(number(port));
    }

    public boolean isUsed(int port) {
        return contains(port) && slots.isTaken(number(port));
    }

    public int used() {
        return (int) slots.taken();
    }

    public int free() {
        return (int) slots.free();
    }

    private long number(int port) {
        if (!contains(port)) {
            throw new IllegalArgumentException("port " + port + " is not within " + first + "-" + (first + size - 1));
        }
        return (long) port - first;
    }

    @Override
    public String toString() {
        return first + "-" + (first + size - 1);
    }
}
