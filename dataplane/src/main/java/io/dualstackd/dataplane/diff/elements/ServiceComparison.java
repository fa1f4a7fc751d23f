package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.rules.nftables.AffinityObjects;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.KeyShape;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.ServiceElements;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Member;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Spread;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Sticky;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ElementList;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds which elements of a Service are missing where, and what the Service will hold. Elements it finds are taken out of the tables;
 * those left there are unwanted. Used for one transaction, by one thread.
 */
final class ServiceComparison {
    private static final int LONGEST_KEY = 2 * (2 * 16 + 2 * Integer.BYTES);

    private final IpFamily family;
    private final AppliedTable applied;
    private final ElementEdits edits;
    private final boolean counting;
    private final ElementCounters counters;
    private final int endpointLength;
    private final byte[] key = new byte[LONGEST_KEY];
    private final AppliedService.Writer writer = new AppliedService.Writer();

    /**
     * @param counting whether found elements are wanted for the first time, as in a full comparison
     * @param counters what elements that are added start to count from
     */
    ServiceComparison(
            IpFamily family, AppliedTable applied, ElementEdits edits, boolean counting, ElementCounters counters) {
        this.family = family;
        this.applied = applied;
        this.edits = edits;
        this.counting = counting;
        this.counters = counters;
        this.endpointLength = Elements.endpointLength(family);
    }

    /**
     * Compares the elements. The caller, which has the chains, completes what was written: {@link #writer}.
     *
     * @param ofAnother whether a destination was another Service's until now: then it starts to count at zero
     */
    void compare(ServiceElements want, Elements has, Predicate<Bytes> ofAnother) {
        want.members().forEach(member -> member(member, has, ofAnother));
        want.spreads().forEach(spread -> spread(spread, has));
        want.sticky().forEach(list -> sticky(list, has));
    }

    AppliedService.Writer writer() {
        return writer;
    }

    private void member(Member member, Elements has, Predicate<Bytes> ofAnother) {
        FixedSet set = member.set();
        int first = member.key().copyTo(key, 0);
        int length = member.keyEnd().copyTo(key, first);
        writer.member(set, key, length);
        PackedTable table = has.members(set);
        boolean held = table.take(table.find(key, 0));
        if (set.shared() && (counting || !held)) {
            boolean wantedBefore = applied.shared.more(HashCounts.hash(set, key, 0, length)) > 1;
            held |= wantedBefore;
        }
        if (!held) {
            ElementList in = edits.members(set).in().key(key, 0, first);
            if (length > first) {
                in.keyEnd(key, first, length - first);
            }
            if (!ofAnother.test(member.key())) {
                counted(counters, set, key, first, in);
            }
            in.comment(member.comment()).end();
        }
    }

    /** Gives an element that is added the counter that it had before it was lost. */
    static void counted(ElementCounters counters, FixedSet set, byte[] key, int length, ElementList in) {
        if (set.counts()) {
            Counter before = counters.initial(set, key, length);
            if (before.packets() > 0) {
                in.counter(before.packets(), before.bytes());
            }
        }
    }

    /** Drops the counts of destinations that a Service had and does not want any more, in no set. */
    void retire(Elements before, ServiceElements want) {
        if (counters.isIdle()) {
            return;
        }
        Set<Bytes> wanted = new HashSet<>();
        want.members().forEach(member -> wanted.add(member.key()));
        before.allMembers().forEach((set, table) -> {
            if (set.counts()) {
                table.left(element -> {
                    int from = table.keyAt(element);
                    Bytes gone = Bytes.of(table.content(element), from, from + table.keyLength());
                    if (!wanted.contains(gone)) {
                        counters.retire(gone);
                    }
                });
            }
        });
    }

    private void spread(Spread spread, Elements has) {
        Lane lane = spread.lane();
        List<Backend> endpoints = spread.endpoints();
        int count = endpoints.size();
        int length = spread.destination().copyTo(key, 0);
        applied.counts.more(lane, count);
        PackedTable counted = has.counted(lane, count);
        if (!counted.take(counted.find(key, 0))) {
            edits.counted(lane, count).in().key(key, 0, length).end();
        }
        byte[] values = SlotChange.apply(
                new TableSlots(has.slots(lane), length, count),
                values(endpoints),
                endpointLength,
                new SlotWrites(edits.slots(lane), length));
        writer.spread(lane, key, length, count, values);
    }

    /** Whether a Service without session affinity wants just what it has; slots may have its endpoints in any order. */
    boolean same(ServiceElements want, byte[] packed) {
        for (Member member : want.members()) {
            int first = member.key().copyTo(key, 0);
            writer.member(member.set(), key, member.keyEnd().copyTo(key, first));
        }
        for (Spread spread : want.spreads()) {
            int length = spread.destination().copyTo(key, 0);
            int count = spread.endpoints().size();
            writer.spread(spread.lane(), key, length, count, values(spread.endpoints()));
        }
        if (writer.wrote(packed)) {
            writer.clear();
            return true;
        }
        return AppliedService.same(family, packed, writer.finish());
    }

    private byte[] values(List<Backend> endpoints) {
        byte[] values = new byte[endpoints.size() * endpointLength];
        int at = 0;
        for (Backend endpoint : endpoints) {
            switch (endpoint.address().ip()) {
                case Ip.V4(int bits) -> bigEndian(values, at, bits, Integer.BYTES);
                case Ip.V6(long high, long low) -> {
                    bigEndian(values, at, high, Long.BYTES);
                    bigEndian(values, at + Long.BYTES, low, Long.BYTES);
                }
            }
            bigEndian(values, at + family.bytes(), endpoint.address().port(), Short.BYTES);
            at += endpointLength;
        }
        return values;
    }

    private static void bigEndian(byte[] target, int at, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            target[at + i] = (byte) (value >> (8 * (bytes - 1 - i)));
        }
    }

    /** The slots of the destination in {@link #key}. */
    private final class TableSlots implements SlotChange.Before {
        private final PackedTable table;
        private int[] at = {};
        private int slots;

        TableSlots(PackedTable table, int length, int wanted) {
            this.table = table;
            if (table.size() > 0) {
                find(length, wanted);
            }
        }

        /** Behind the wanted slots only those without a gap are found; the others are left over, and are removed. */
        private void find(int length, int wanted) {
            at = new int[wanted + 1];
            for (int slot = 0; ; slot++) {
                SlotKey.number(key, length, slot);
                int element = table.find(key, 0);
                boolean found = table.take(element);
                if (!found && slot >= wanted) {
                    return;
                }
                if (slot == at.length) {
                    at = Arrays.copyOf(at, 2 * slot);
                }
                at[slot] = found ? element : -1;
                if (found) {
                    slots = slot + 1;
                }
            }
        }

        @Override
        public int slots() {
            return slots;
        }

        @Override
        public int valueAt(int slot) {
            return at[slot] < 0 ? -1 : table.valueAt(at[slot]);
        }

        @Override
        public byte[] values(int slot) {
            return table.content(at[slot]);
        }
    }

    /** Writes of slots of the destination in {@link #key}. */
    private final class SlotWrites implements SlotChange.Writes {
        private final ElementEdits.SetEdit edit;
        private final int length;

        SlotWrites(ElementEdits.SetEdit edit, int length) {
            this.edit = edit;
            this.length = length;
        }

        @Override
        public void remove(int slot) {
            SlotKey.number(key, length, slot);
            edit.out().key(key, 0, length + Integer.BYTES).end();
        }

        @Override
        public void put(int slot, byte[] values, int at) {
            SlotKey.number(key, length, slot);
            edit.in()
                    .key(key, 0, length + Integer.BYTES)
                    .data(values, at, endpointLength)
                    .end();
        }
    }

    /**
     * Keeps what a Service has, as far as it exists; nothing is written for it.
     *
     * @param lost destinations that are not kept
     */
    void keep(byte[] had, Elements has, Predicate<Bytes> lost) {
        AppliedService.read(family, had, new AppliedService.EntryVisitor() {
            private boolean isLost(KeyShape shape, byte[] bytes, int at) {
                return lost.test(Bytes.of(bytes, at, at + Elements.length(family, shape)));
            }

            @Override
            public void member(FixedSet set, byte[] bytes, int keyAt) {
                // A source is behind its destination.
                KeyShape shape = set.shape() == KeyShape.SOURCE ? KeyShape.SERVICE_IP : set.shape();
                if ((shape == KeyShape.SERVICE_IP || shape == KeyShape.NODE_PORT) && isLost(shape, bytes, keyAt)) {
                    return;
                }
                PackedTable table = has.members(set);
                int element = table.find(bytes, keyAt);
                if (element >= 0) {
                    boolean ignored = table.take(element);
                    System.arraycopy(bytes, keyAt, key, 0, table.keyLength());
                    writer.member(set, key, table.keyLength());
                    if (set.shared()) {
                        int wanted = applied.shared.more(HashCounts.hash(set, key, 0, table.keyLength()));
                        assert wanted > 0;
                    }
                }
            }

            @Override
            public void spread(Lane lane, byte[] bytes, int destinationAt, int count, int valuesAt) {
                PackedTable counted = has.counted(lane, count);
                if (isLost(lane.destination(), bytes, destinationAt)
                        || !counted.take(counted.find(bytes, destinationAt))) {
                    return;
                }
                applied.counts.more(lane, count);
                int length = Elements.length(family, lane.destination());
                System.arraycopy(bytes, destinationAt, key, 0, length);
                byte[] values = takeSlots(has.slots(lane), length, count);
                writer.spread(lane, key, length, count, values);
            }

            @Override
            public void sticky(Lane lane, Bytes destination, String chain) {
                int length = destination.copyTo(key, 0);
                if (!lost.test(destination) && has.takeSticky(lane, destination).equals(Optional.of(chain))) {
                    writer.sticky(lane, key, length, chain);
                }
            }
        });
    }

    /**
     * Takes the slots of the destination in {@link #key}.
     *
     * @return their values; an {@linkplain AppliedService#isEmptySlot empty} one for each that is missing
     */
    private byte[] takeSlots(PackedTable slots, int length, int count) {
        byte[] values = new byte[count * endpointLength];
        for (int slot = 0; slot < count; slot++) {
            SlotKey.number(key, length, slot);
            int element = slots.find(key, 0);
            if (slots.take(element)) {
                System.arraycopy(
                        slots.content(element), slots.valueAt(element), values, slot * endpointLength, endpointLength);
            }
        }
        return values;
    }

    /** What the kernel has at the destinations a Service wants, packed for {@link #keep}, whether or not the Service wants it. */
    byte[] asFound(ServiceElements want, Elements has) {
        AppliedService.Writer found = new AppliedService.Writer();
        for (Member member : want.members()) {
            int first = member.key().copyTo(key, 0);
            found.member(member.set(), key, member.keyEnd().copyTo(key, first));
        }
        for (Spread spread : want.spreads()) {
            Lane lane = spread.lane();
            int length = spread.destination().copyTo(key, 0);
            has.countsOf(lane, key)
                    .forEach(count -> found.spread(lane, key, length, count, new byte[count * endpointLength]));
        }
        for (Sticky list : want.sticky()) {
            for (Sticky.Entry entry : list.destinations()) {
                String chain = has.sticky(entry.lane()).get(entry.destination());
                if (chain != null) {
                    found.sticky(entry.lane(), key, entry.destination().copyTo(key, 0), chain);
                }
            }
        }
        AffinityObjects objects = AffinityObjects.of(family, want.sticky());
        objects.chains().forEach(chain -> found.chain(chain.name()));
        objects.sets().forEach(set -> found.clients(set.name().name()));
        return found.finish();
    }

    private void sticky(Sticky list, Elements has) {
        for (Sticky.Entry entry : list.destinations()) {
            Lane lane = entry.lane();
            Bytes destination = entry.destination();
            int length = destination.copyTo(key, 0);
            writer.sticky(lane, key, length, list.chain());
            Optional<String> leadsTo = has.takeSticky(lane, destination);
            if (leadsTo.equals(Optional.of(list.chain()))) {
                continue;
            }
            if (leadsTo.isPresent()) {
                edits.verdictOut(lane, destination);
            }
            edits.verdictIn(lane, destination, list.chain());
        }
    }

    /** Removes everything still in {@code has}, unless another Service wants it, too. */
    void removeLeft(Elements has) {
        has.allMembers()
                .forEach((set, table) -> table.left(element -> {
                    if (!set.shared()
                            || counting
                            || applied.shared.less(HashCounts.hash(
                                            set, table.content(element), table.keyAt(element), table.keyLength()))
                                    == 0) {
                        removeMember(set, table, element);
                    }
                }));
        has.allSlots()
                .forEach((lane, table) -> table.left(element -> edits.slots(lane)
                        .out()
                        .key(table.content(element), table.keyAt(element), table.keyLength())
                        .end()));
        has.allCounted()
                .forEach((lane, counts) -> counts.forEach((count, table) -> {
                    if (applied.counts.inUse(lane, count)) {
                        table.left(element -> edits.counted(lane, count)
                                .out()
                                .key(table.content(element), table.keyAt(element), table.keyLength())
                                .end());
                    }
                }));
        has.stickyLeft(edits::verdictOut);
    }

    private void removeMember(FixedSet set, PackedTable table, int element) {
        int half = set.ranges() ? table.keyLength() / 2 : table.keyLength();
        ElementList out = edits.members(set).out().key(table.content(element), table.keyAt(element), half);
        if (set.ranges()) {
            out.keyEnd(table.content(element), table.keyAt(element) + half, half);
        }
        out.end();
    }
}
