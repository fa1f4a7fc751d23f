package io.dualstackd.standalone.allocation;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** A range of node ports, some of which are in use. Used by one thread. */
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

    /**
     * The number of ports at the beginning of a range that are left to explicit requests: a thirty-second, 16 to 128, none in the
     * smallest ranges.
     */
    public static int staticSize(int size) {
        return size <= SMALLEST_STATIC ? 0 : Math.clamp(size / 32, SMALLEST_STATIC, LARGEST_STATIC);
    }

    public boolean contains(int port) {
        return port >= first && port < first + size;
    }

    /** Takes a random free port; empty when all are in use. */
    public OptionalInt take(RandomGenerator random) {
        OptionalLong number = slots.next(random);
        if (number.isEmpty()) {
            return OptionalInt.empty();
        }
        slots.take(number.getAsLong());
        return OptionalInt.of(first + (int) number.getAsLong());
    }

    /** Takes the given port, which is {@linkplain #contains in the range}; false when it is in use. */
    public boolean take(int port) {
        return slots.take(number(port));
    }

    /** Releases the port; no effect when it is not in use. */
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
