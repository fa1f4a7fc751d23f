package io.dualstackd.netlink.xt.table;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A table to replace its predecessor, and which of its entries the predecessor has already: those keep their counters. Others begin with the ones they have. */
public final class Replacement {
    private final TableBlob blob;
    private final TableBlob predecessor;
    /** For each entry its offset in the predecessor, or -1. */
    private final int[] origins;
    /** Whether entries that the predecessor does not have begin with the counters in their bytes. */
    private final boolean begins;

    Replacement(TableBlob blob, TableBlob predecessor, int[] origins) {
        this(blob, predecessor, origins, true);
    }

    private Replacement(TableBlob blob, TableBlob predecessor, int[] origins, boolean begins) {
        this.blob = blob;
        this.predecessor = predecessor;
        this.origins = origins;
        this.begins = begins;
    }

    /** The new table. */
    public TableBlob blob() {
        return blob;
    }

    /** The table that is replaced. */
    public TableBlob predecessor() {
        return predecessor;
    }

    /**
     * Returns the replacement that restores the predecessor, with the counters of the meantime. Entries that were removed begin at zero:
     * how much they had counted in the end is not known.
     */
    public Replacement undo() {
        Map<Integer, Integer> laterAt = new HashMap<>();
        int at = 0;
        for (int origin : origins) {
            if (origin >= 0) {
                laterAt.put(origin, at);
            }
            at = after(blob, at);
        }
        int[] back = new int[predecessor.count()];
        at = 0;
        for (int i = 0; i < back.length; i++) {
            back[i] = laterAt.getOrDefault(at, -1);
            at = after(predecessor, at);
        }
        return new Replacement(predecessor, blob, back, false);
    }

    /**
     * Returns the initial counters of the new entries, packets and bytes alternating.
     *
     * @param old those of the predecessor's entries, in the same form
     */
    public long[] counted(long[] old) {
        int[] indexes = new int[predecessor.size() / Long.BYTES + 1];
        Arrays.fill(indexes, -1);
        int offset = 0;
        for (int i = 0; i < predecessor.count(); i++) {
            indexes[offset / Long.BYTES] = i;
            offset = after(predecessor, offset);
        }
        long[] counted = new long[2 * origins.length];
        int counters = EntryLayout.of(blob.family()).counters();
        int at = 0;
        for (int i = 0; i < origins.length; i++) {
            if (origins[i] >= 0) {
                int from = indexes[origins[i] / Long.BYTES];
                counted[2 * i] = old[2 * from];
                counted[2 * i + 1] = old[2 * from + 1];
            } else if (begins) {
                counted[2 * i] = EntryLayout.u64(blob.entries(), at + counters);
                counted[2 * i + 1] = EntryLayout.u64(blob.entries(), at + counters + Long.BYTES);
            }
            at = after(blob, at);
        }
        return counted;
    }

    private static int after(TableBlob blob, int at) {
        return at
                + EntryLayout.u16(
                        blob.entries(), at + EntryLayout.of(blob.family()).nextOffset());
    }

    /** {@code IPv4 nat, 12 entries in place of 10}. */
    @Override
    public String toString() {
        return blob + " in place of " + predecessor.count();
    }
}
