package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.elements.Elements;
import io.dualstackd.dataplane.diff.elements.PackedTable;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.nft.ElementList;
import io.dualstackd.netlink.nft.SetName;

/**
 * Reads a large map of endpoints by its keys instead of as a list, whose time in the kernel is quadratic in the size of the map
 * (<a href="https://github.com/torvalds/linux/blob/v6.18/net/netfilter/nft_set_hash.c">{@code nft_rhash_walk}</a> begins anew for each
 * 32 kB). The keys follow from the sets of destinations, which are read before; the kernel's count of elements shows whether the map has
 * others.
 */
final class SlotReader {
    /** From here on reading by key takes less time than a list; ADR 9 has the measurement. */
    static final int MANY = 100_000;

    private final int many;

    /** @param many the smallest number of slots that are read by key */
    SlotReader(int many) {
        this.many = many;
    }

    /**
     * Reads the map of a lane.
     *
     * @param elements the sets of destinations as they were read; receives the map
     * @return false when the map has to be read as a list: it is small, the kernel does not count, or its keys are not the expected ones
     */
    boolean read(NftClient kernel, SetName map, Lane lane, Elements elements) throws NetlinkException {
        long slots = elements.slotCount(lane);
        if (slots < many || kernel.elementCount(map).orElse(-1) != slots) {
            return false;
        }
        PackedTable shape = elements.slots(lane);
        PackedTable fresh = new PackedTable(shape.keyLength(), shape.valueLength());
        fresh.expect(Math.toIntExact(slots));
        Asking asking = new Asking(kernel, map, fresh);
        elements.eachSlot(lane, asking::key);
        if (!asking.complete() || asking.answers.into.size() != slots) {
            return false;
        }
        elements.put(map.name(), asking.answers.into);
        return true;
    }

    /** Requests for one map; after an element that does not exist no more are sent. */
    private static final class Asking {
        private final NftClient kernel;
        private final SetName map;
        private final TableReader.Packing answers;
        private final ElementList keys = new ElementList();
        private int waiting;
        private boolean allExist = true;

        Asking(NftClient kernel, SetName map, PackedTable into) {
            this.kernel = kernel;
            this.map = map;
            this.answers = new TableReader.Packing(into);
        }

        void key(byte[] key) throws NetlinkException {
            if (allExist) {
                keys.begin().key(key, 0, key.length).end();
                if (++waiting == NftClient.KEYS_AT_ONCE) {
                    send();
                }
            }
        }

        private void send() throws NetlinkException {
            allExist = kernel.elements(map, keys, answers);
            waiting = 0;
        }

        /** Sends the rest; returns whether all elements exist and are as elements of the layout are. */
        boolean complete() throws NetlinkException {
            if (allExist && waiting > 0) {
                send();
            }
            return allExist && !answers.odd;
        }
    }
}
