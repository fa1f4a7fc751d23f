package io.dualstackd.kubeapi.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for the names of objects, from 0 on: what is kept for each is in arrays, at its number. An entry takes about twenty-five bytes, where
 * one of a {@code HashMap} with its key takes sixty, and a cluster has tens of thousands. A number is given again after its name was removed.
 * Not thread-safe.
 */
public final class NameIndex {
    private static final int SMALLEST = 16;
    private static final int EMPTY = -1;
    private static final int REMOVED = -2;

    /** A hash table with linear probing of numbers. */
    private int[] slots = new int[SMALLEST];
    /** Slots that are not empty. */
    private int used;
    /** Namespace and name of each number; null when it is not in use. */
    private @Nullable String[] names = new String[SMALLEST];
    /** Numbers that were ever given, from 0 on. */
    private int limit;

    private int[] free = new int[0];
    private int freeCount;

    public NameIndex() {
        Arrays.fill(slots, EMPTY);
    }

    /** The number of a name; negative when it has none. */
    public int find(String namespace, String name) {
        int mask = slots.length - 1;
        for (int slot = hash(namespace, name) & mask; slots[slot] != EMPTY; slot = slot + 1 & mask) {
            if (is(slots[slot], namespace, name)) {
                return slots[slot];
            }
        }
        return EMPTY;
    }

    /** Gives a number to a name that has none. */
    public int add(String namespace, String name) {
        int number = freeCount > 0 ? free[--freeCount] : limit++;
        if (2 * number == names.length) {
            names = Arrays.copyOf(names, roomFor(number) * 2);
        }
        names[2 * number] = namespace;
        names[2 * number + 1] = name;
        // Names differ in their last characters, so a comparison is expensive: half of the slots are empty.
        if ((used + 1) * 2 > slots.length) {
            rehash();
        } else {
            enter(number);
        }
        return number;
    }

    /** The length of an array with a place for this number, when it grows by a quarter. */
    public static int roomFor(int number) {
        return Math.max(SMALLEST, number + 1 + (number >> 2));
    }

    /** Removes the name that has this number. */
    public void remove(int number) {
        int mask = slots.length - 1;
        int slot = hash(namespace(number), name(number)) & mask;
        while (slots[slot] != number) {
            slot = slot + 1 & mask;
        }
        slots[slot] = REMOVED;
        names[2 * number] = null;
        names[2 * number + 1] = null;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, roomFor(freeCount));
        }
        free[freeCount++] = number;
    }

    /** All numbers are below it. */
    public int limit() {
        return limit;
    }

    /** The number of names that have a number. */
    public int size() {
        return limit - freeCount;
    }

    /** Whether a name has this number, which is below {@link #limit}. */
    public boolean isUsed(int number) {
        return names[2 * number] != null;
    }

    /** The namespace of what has this number. */
    public String namespace(int number) {
        return used(names[2 * number]);
    }

    /** The name of what has this number. */
    public String name(int number) {
        return used(names[2 * number + 1]);
    }

    private static String used(@Nullable String text) {
        if (text == null) {
            throw new IllegalArgumentException("a number that no name has");
        }
        return text;
    }

    private boolean is(int number, String namespace, String name) {
        // Strings know their hashes: a comparison of names that differ at their end is rare then.
        return number >= 0
                && name.hashCode() == name(number).hashCode()
                && name.equals(name(number))
                && namespace.equals(names[2 * number]);
    }

    private static int hash(String namespace, String name) {
        int mixed = (namespace.hashCode() * 31 + name.hashCode()) * 0x9e37_79b9;
        return mixed ^ mixed >>> 16;
    }

    private void enter(int number) {
        int mask = slots.length - 1;
        int slot = hash(namespace(number), name(number)) & mask;
        while (slots[slot] >= 0) {
            slot = slot + 1 & mask;
        }
        used += slots[slot] == EMPTY ? 1 : 0;
        slots[slot] = number;
    }

    /** Makes the table fit what is in it. */
    private void rehash() {
        slots = new int[Math.max(SMALLEST, Integer.highestOneBit(size()) * 4)];
        Arrays.fill(slots, EMPTY);
        used = 0;
        for (int number = 0; number < limit; number++) {
            if (isUsed(number)) {
                enter(number);
            }
        }
    }
}
