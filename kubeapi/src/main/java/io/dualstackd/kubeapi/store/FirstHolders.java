package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import org.jspecify.annotations.Nullable;

/**
 * A map from 64-bit hashes to the first Service with each: twelve bytes and a reference for each entry at a load factor of three quarters,
 * where a {@code HashMap} needs about sixty.
 */
final class FirstHolders {
    private static final int SMALLEST = 64;

    private long[] hashes = new long[SMALLEST];
    private @Nullable ServiceKey[] holders = new ServiceKey[SMALLEST];
    /** Slots with a hash, those whose holder is gone included. */
    private int used;

    @Nullable
    ServiceKey find(long hash) {
        return holders[place(hash)];
    }

    /** @param hash not 0 */
    void put(long hash, ServiceKey holder) {
        int place = place(hash);
        if (hashes[place] == 0) {
            hashes[place] = hash;
            used++;
        }
        holders[place] = holder;
        if (used * 4 > hashes.length * 3) {
            rehash();
        }
    }

    void remove(long hash) {
        holders[place(hash)] = null;
    }

    private int place(long hash) {
        int mask = hashes.length - 1;
        int place = (int) (hash >>> 32) & mask;
        while (hashes[place] != 0 && hashes[place] != hash) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** Grows the table. Entries without a holder, which kept the probe sequences intact, are dropped. */
    private void rehash() {
        long[] oldHashes = hashes;
        @Nullable ServiceKey[] oldHolders = holders;
        int live = 0;
        for (ServiceKey holder : oldHolders) {
            live += holder == null ? 0 : 1;
        }
        int capacity = Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, live)) * 4);
        hashes = new long[capacity];
        holders = new ServiceKey[capacity];
        used = live;
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldHolders[i] != null) {
                int place = place(oldHashes[i]);
                hashes[place] = oldHashes[i];
                holders[place] = oldHolders[i];
            }
        }
    }
}
