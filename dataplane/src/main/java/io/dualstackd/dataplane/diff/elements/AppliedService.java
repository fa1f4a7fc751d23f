package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of a Service in the kernel, packed into one array: members of fixed sets, then slots of destinations, then
 * what session affinity needs. Each entry begins with a byte for its kind.
 */
final class AppliedService {
    static final byte[] NOTHING = {};

    private static final FixedSet[] SETS = FixedSet.values();
    private static final Lane[] LANES = Lane.values();

    /** Tags below are numbers of fixed sets. */
    private static final int SPREAD = 0x40;

    private static final int STICKY = 0x50;
    private static final int CHAIN = 0x60;
    private static final int CLIENTS = 0x61;

    private AppliedService() {}

    /** Receives the entries of a packed Service, in order. Arrays are those of the packed Service. */
    interface Reader {
        void member(FixedSet set, byte[] packed, int keyAt);

        /** @param valuesAt where the first of {@code count} endpoints begins; those of {@linkplain #isEmptySlot empty slots} are not there */
        void spread(Lane lane, byte[] packed, int destinationAt, int count, int valuesAt);

        void sticky(Lane lane, Bytes destination, String chain);

        void chain(String name);

        void clients(String set);
    }

    /** For callers that need only some kinds of entries. */
    abstract static class EntryVisitor implements Reader {
        @Override
        public void member(FixedSet set, byte[] packed, int keyAt) {}

        @Override
        public void spread(Lane lane, byte[] packed, int destinationAt, int count, int valuesAt) {}

        @Override
        public void sticky(Lane lane, Bytes destination, String chain) {}

        @Override
        public void chain(String name) {}

        @Override
        public void clients(String set) {}
    }

    static void read(IpFamily family, byte[] packed, Reader reader) {
        int at = 0;
        while (at < packed.length) {
            int tag = packed[at++];
            if (tag == CHAIN || tag == CLIENTS) {
                String name = name(packed, at);
                at += 2 + u16(packed, at);
                if (tag == CHAIN) {
                    reader.chain(name);
                } else {
                    reader.clients(name);
                }
            } else if (tag >= STICKY) {
                Lane lane = LANES[tag - STICKY];
                int end = at + Elements.length(family, lane.destination());
                reader.sticky(lane, Bytes.of(packed, at, end), name(packed, end));
                at = end + 2 + u16(packed, end);
            } else if (tag >= SPREAD) {
                Lane lane = LANES[tag - SPREAD];
                int end = at + Elements.length(family, lane.destination());
                int count = u16(packed, end);
                reader.spread(lane, packed, at, count, end + 2);
                at = end + 2 + count * Elements.endpointLength(family);
            } else {
                FixedSet set = SETS[tag];
                reader.member(set, packed, at);
                at += Elements.keyLength(family, set);
            }
        }
    }

    /** Whether a value, an address and a port, is zero: the kernel has nothing in this slot, and does not take what belongs there. */
    static boolean isEmptySlot(byte[] packed, int valueAt, int valueLength) {
        for (int at = valueAt; at < valueAt + valueLength; at++) {
            if (packed[at] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether two packed Services have the same entries in the same order, apart from the order of endpoints in slots. */
    static boolean same(IpFamily family, byte[] one, byte[] other) {
        if (Arrays.equals(one, other)) {
            return true;
        }
        if (one.length != other.length) {
            return false;
        }
        int length = Elements.endpointLength(family);
        SlotOrder order = new SlotOrder(one, other, length);
        read(family, one, order);
        return order.same();
    }

    /** Compares one packed Service, which is read, with another one of the same length. */
    private static final class SlotOrder extends EntryVisitor {
        private final byte[] one;
        private final byte[] other;
        private final int valueLength;
        /** Up to here both are the same. */
        private int compared;

        private boolean same = true;

        SlotOrder(byte[] one, byte[] other, int valueLength) {
            this.one = one;
            this.other = other;
            this.valueLength = valueLength;
        }

        @Override
        public void spread(Lane lane, byte[] packed, int destinationAt, int count, int valuesAt) {
            int end = valuesAt + count * valueLength;
            same = same
                    && Arrays.equals(one, compared, valuesAt, other, compared, valuesAt)
                    && sameValues(valuesAt, count);
            compared = end;
        }

        private boolean sameValues(int at, int count) {
            PackedTable values = new PackedTable(valueLength, 0);
            values.expect(count);
            for (int i = 0; i < count; i++) {
                values.add(one, at + i * valueLength, one, 0);
            }
            for (int i = 0; i < count; i++) {
                if (!values.take(values.find(other, at + i * valueLength))) {
                    return false;
                }
            }
            return true;
        }

        boolean same() {
            return same && Arrays.equals(one, compared, one.length, other, compared, other.length);
        }
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
    }

    private static String name(byte[] packed, int at) {
        return new String(packed, at + 2, u16(packed, at), StandardCharsets.UTF_8);
    }

    /** Writes a packed Service; reusable. */
    @SuppressWarnings("EnumOrdinal") // a checkpoint of another order is not used
    static final class Writer {
        private byte[] buffer = new byte[512];
        private int at;

        void member(FixedSet set, byte[] key, int length) {
            tag(set.ordinal());
            bytes(key, 0, length);
        }

        /** @param count at most 65,535: a higher number cannot be drawn */
        void spread(Lane lane, byte[] destination, int length, int count, byte[] values) {
            tag(SPREAD + lane.ordinal());
            bytes(destination, 0, length);
            u16(count);
            bytes(values, 0, values.length);
        }

        void sticky(Lane lane, byte[] destination, int length, String chain) {
            tag(STICKY + lane.ordinal());
            bytes(destination, 0, length);
            text(chain);
        }

        void chain(String name) {
            tag(CHAIN);
            text(name);
        }

        void clients(String set) {
            tag(CLIENTS);
            text(set);
        }

        /** Whether this is what was written; without a copy of it. */
        boolean wrote(byte[] packed) {
            return Arrays.equals(buffer, 0, at, packed, 0, packed.length);
        }

        /** Forgets what was written. */
        void clear() {
            at = 0;
        }

        byte[] finish() {
            byte[] packed = at == 0 ? NOTHING : Arrays.copyOf(buffer, at);
            at = 0;
            return packed;
        }

        private void text(String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            u16(utf8.length);
            bytes(utf8, 0, utf8.length);
        }

        private void tag(int tag) {
            ensureCapacity(1);
            buffer[at++] = (byte) tag;
        }

        private void u16(int value) {
            ensureCapacity(2);
            buffer[at++] = (byte) (value >> 8);
            buffer[at++] = (byte) value;
        }

        private void bytes(byte[] source, int from, int length) {
            ensureCapacity(length);
            System.arraycopy(source, from, buffer, at, length);
            at += length;
        }

        private void ensureCapacity(int more) {
            if (at + more > buffer.length) {
                buffer = Arrays.copyOf(buffer, Math.max(at + more, 2 * buffer.length));
            }
        }
    }

    /** A packed Service as tables to be compared, and the names of a Service's own objects. */
    static final class Unpacked implements Reader {
        final Elements elements;
        final List<String> chains = new ArrayList<>();
        final List<String> clients = new ArrayList<>();
        private final byte[] slot;
        private final IpFamily family;

        Unpacked(IpFamily family, byte[] packed) {
            this.family = family;
            this.elements = new Elements(family);
            this.slot = new byte[2 * 16 + 3 * Integer.BYTES];
            read(family, packed, this);
        }

        @Override
        public void member(FixedSet set, byte[] packed, int keyAt) {
            elements.members(set).add(packed, keyAt, packed, 0);
        }

        @Override
        public void spread(Lane lane, byte[] packed, int destinationAt, int count, int valuesAt) {
            int length = Elements.length(family, lane.destination());
            elements.counted(lane, count).add(packed, destinationAt, packed, 0);
            PackedTable slots = elements.slots(lane);
            slots.expect(count);
            System.arraycopy(packed, destinationAt, slot, 0, length);
            for (int i = 0; i < count; i++) {
                int valueAt = valuesAt + i * slots.valueLength();
                if (!isEmptySlot(packed, valueAt, slots.valueLength())) {
                    SlotKey.number(slot, length, i);
                    slots.add(slot, 0, packed, valueAt);
                }
            }
        }

        @Override
        public void sticky(Lane lane, Bytes destination, String chain) {
            elements.sticky(lane).put(destination, chain);
        }

        @Override
        public void chain(String name) {
            chains.add(name);
        }

        @Override
        public void clients(String set) {
            clients.add(set);
        }
    }
}
