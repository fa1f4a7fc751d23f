package io.dualstackd.dataplane.diff.elements;

/**
 * How the slots of one destination get from what they hold to what is wanted with the fewest writes. Which endpoint stands in which
 * slot means nothing, as all are drawn alike, so whoever is wanted and has a slot below the new count keeps it; those who lost
 * theirs or are new get the slots that became free.
 *
 * <p>Slots before may have holes or hold an endpoint twice, when somebody else has been at them.
 */
final class SlotChange {
    private SlotChange() {}

    /** Takes the writes. Values lie in the array of {@link #apply}'s result. */
    interface Writes {
        /** The slot is emptied; perhaps only to be written anew. */
        void remove(int slot);

        void put(int slot, byte[] values, int at);
    }

    /** What slots hold before; a slot is empty, or holds a value. */
    interface Before {
        /** One more than the last slot to look at. */
        int slots();

        /** Where in {@link #values} the value of a slot begins, or -1. */
        int valueAt(int slot);

        /** The array that the value of a slot is in. */
        byte[] values(int slot);
    }

    /**
     * @param wanted the values, each once, one behind the other
     * @return the values in the order of their slots
     */
    static byte[] apply(Before before, byte[] wanted, int valueLength, Writes writes) {
        int count = wanted.length / valueLength;
        int had = before.slots();
        if (had == 0) {
            for (int slot = 0; slot < count; slot++) {
                writes.put(slot, wanted, slot * valueLength);
            }
            return wanted;
        }
        PackedTable open = new PackedTable(valueLength, 0);
        open.expect(count);
        for (int i = 0; i < count; i++) {
            open.add(wanted, i * valueLength, wanted, 0);
        }
        byte[] after = new byte[wanted.length];
        boolean[] kept = new boolean[count];
        for (int slot = 0; slot < had; slot++) {
            int at = before.valueAt(slot);
            if (at < 0) {
                continue;
            }
            if (slot < count && open.take(open.find(before.values(slot), at))) {
                kept[slot] = true;
                System.arraycopy(before.values(slot), at, after, slot * valueLength, valueLength);
            } else {
                writes.remove(slot);
            }
        }
        int next = 0;
        for (int slot = 0; slot < count; slot++) {
            if (!kept[slot]) {
                while (!open.take(next)) {
                    next++;
                }
                System.arraycopy(open.content(next), open.keyAt(next), after, slot * valueLength, valueLength);
                writes.put(slot, after, slot * valueLength);
            }
        }
        return after;
    }
}
