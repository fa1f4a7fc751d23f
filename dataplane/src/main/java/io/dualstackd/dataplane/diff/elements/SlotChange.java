package io.dualstackd.dataplane.diff.elements;

/**
 * Changes the slots of one destination to what is wanted with the fewest writes. The order of endpoints in slots has no meaning, as all
 * are drawn with the same probability, so a wanted endpoint that has a slot below the new count keeps it; those above it and new ones
 * get the slots that became free.
 *
 * <p>Slots may have gaps or hold an endpoint twice before, when another program has changed them.
 */
final class SlotChange {
    private SlotChange() {}

    /** Receives the writes. Values lie in the array of {@link #apply}'s result. */
    interface Writes {
        /** Empties the slot; it may be written again. */
        void remove(int slot);

        void put(int slot, byte[] values, int at);
    }

    /** The slots before the change; a slot is empty, or holds a value. */
    interface Before {
        /** One more than the last slot to examine. */
        int slots();

        /** Where in {@link #values} the value of a slot begins, or -1. */
        int valueAt(int slot);

        /** The array that the value of a slot is in. */
        byte[] values(int slot);
    }

    /**
     * @param wanted the values, each once, one after the other
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
