package io.dualstackd.dataplane.diff.elements;

/**
 * Counts of keys, each key known by 64 bits of hash: twelve bytes for each. With this hash a collision among a million keys is very
 * unlikely, and a user who causes one only keeps a ClusterIP in the set a little longer.
 */
final class HashCounts {
    private long[] keys = new long[64];
    private int[] counts = new int[64];
    private int used;

    HashCounts copy() {
        HashCounts copy = new HashCounts();
        copy.keys = keys.clone();
        copy.counts = counts.clone();
        copy.used = used;
        return copy;
    }

    /** Adds one; returns the new count. */
    int more(long hash) {
        int place = place(hash);
        if (counts[place] == 0 && keys[place] == 0) {
            keys[place] = hash;
            if (++used * 4 > keys.length * 3) {
                counts[place] = 1;
                rehash();
                return 1;
            }
        }
        return ++counts[place];
    }

    /** Subtracts one; returns the new count. */
    int less(long hash) {
        int place = place(hash);
        return counts[place] == 0 ? 0 : --counts[place];
    }

    /** The count of a key. */
    int of(long hash) {
        return counts[place(hash)];
    }

    private int place(long hash) {
        int mask = keys.length - 1;
        int place = (int) (hash >>> 32) & mask;
        while (keys[place] != 0 && keys[place] != hash) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** Removes keys with count 0; until then they hold the places of those behind them. */
    private void rehash() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        int live = 0;
        for (int count : oldCounts) {
            live += count > 0 ? 1 : 0;
        }
        int capacity = Integer.highestOneBit(Math.max(32, live)) * 4;
        keys = new long[capacity];
        counts = new int[capacity];
        used = live;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldCounts[i] > 0) {
                int place = place(oldKeys[i]);
                keys[place] = oldKeys[i];
                counts[place] = oldCounts[i];
            }
        }
    }

    /** A hash of {@code length} bytes of {@code bytes}, never 0; {@code kind} distinguishes keys of the same bytes. */
    @SuppressWarnings("EnumOrdinal") // a hash lives no longer than the process
    static long hash(Enum<?> kind, byte[] bytes, int from, int length) {
        long hash = 0x9e3779b97f4a7c15L * (kind.ordinal() + 1);
        for (int i = from; i < from + length; i++) {
            hash = (hash ^ (bytes[i] & 0xff)) * 0xff51afd7ed558ccdL;
            hash ^= hash >>> 32;
        }
        hash *= 0xc4ceb9fe1a85ec53L;
        hash ^= hash >>> 29;
        return hash == 0 ? 1 : hash;
    }
}
