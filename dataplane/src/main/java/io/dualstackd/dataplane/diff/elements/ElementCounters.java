package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters of elements as last read, of one family. An element that leaves the kernel loses its counter; a value that was read is
 * remembered here until the element comes back, and is given to the new one. So a count that was shown never becomes smaller while its
 * Service wants the destination, and the counters themselves are in the kernel, where they outlive the process.
 *
 * <p>Safe for use by several threads.
 */
public final class ElementCounters {
    /** Packets and bytes. */
    private static final int VALUE = 2 * Long.BYTES;

    private final IpFamily family;
    private Map<FixedSet, PackedTable> read = new EnumMap<>(FixedSet.class);
    /** Of elements that were not there at the last reading. */
    private final Map<Identity, Counter> absent = new HashMap<>();
    /** How much less the kernel has than was shown: of elements whose counter was read between the making of a transaction and its end. */
    private final Map<Identity, Counter> behind = new HashMap<>();
    /** The initial counts of elements that were added again, effective once they are in the kernel. */
    private final Map<Identity, Counter> beginnings = new HashMap<>();
    /** What was counted at destinations that no Service wants any more. */
    private final Map<FixedSet, Long> retired = new EnumMap<>(FixedSet.class);
    /** Destinations that the transaction which is being drafted gives up. */
    private final Set<Bytes> givenUp = new HashSet<>();
    /** Destinations retired since a reading began, which may have found them; null while nothing is read. */
    private @Nullable Set<Bytes> retiredMeanwhile;

    private record Identity(FixedSet set, Bytes key) {}

    public ElementCounters(IpFamily family) {
        this.family = family;
    }

    /** A reading of the kernel's counters, to be given to {@link #end}. Used by one thread. */
    public final class Reading {
        private final Map<FixedSet, PackedTable> found = new EnumMap<>(FixedSet.class);
        private final byte[] value = new byte[VALUE];

        private Reading() {}

        /** Adds an element; one that a set holds twice, because the kernel moved it, is added once. */
        public void add(FixedSet set, byte[] key, long packets, long bytes) {
            ByteBuffer.wrap(value).putLong(packets).putLong(bytes);
            table(found, set).add(key, 0, value, 0);
        }
    }

    /** Begins a reading; only one at a time. */
    public synchronized Reading begin() {
        retiredMeanwhile = new HashSet<>();
        return new Reading();
    }

    /** Ends a reading: its values are the current ones. */
    public synchronized void end(Reading reading) {
        read.forEach((set, before) -> {
            PackedTable now = table(reading.found, set);
            before.left(element -> {
                Identity identity = new Identity(set, key(before, element));
                Counter shown = shown(identity, before, element);
                int same = now.find(before.content(element), before.keyAt(element));
                if (same < 0) {
                    absent.put(identity, shown);
                    behind.remove(identity);
                } else {
                    follow(identity, counter(before, element), shown, counter(now, same));
                }
            });
        });
        for (Iterator<Identity> each = absent.keySet().iterator(); each.hasNext(); ) {
            Identity identity = each.next();
            if (table(reading.found, identity.set()).find(identity.key().toArray(), 0) >= 0) {
                each.remove();
            }
        }
        read = reading.found;
        Set<Bytes> gone = retiredMeanwhile;
        retiredMeanwhile = null;
        if (gone != null) {
            // Their counts are among the retired ones since they were retired.
            gone.forEach(key -> take(key, false));
        }
    }

    /** Finds out whether an element was replaced, by one that began with less than what had been shown until then. */
    private void follow(Identity identity, Counter before, Counter shown, Counter now) {
        Counter began = beginnings.get(identity);
        if (now.packets() < before.packets()) {
            // Less than its beginning it has only when another program has set it back.
            Counter from = began == null || now.packets() < began.packets() ? now : began;
            behind.put(identity, shown.minus(from));
            beginnings.remove(identity);
        } else if (began != null && behind.containsKey(identity) && now.packets() >= began.packets()) {
            behind.remove(identity);
            beginnings.remove(identity);
        }
    }

    private Counter shown(Identity identity, PackedTable table, int element) {
        Counter kernel = counter(table, element);
        Counter more = behind.get(identity);
        return more == null ? kernel : kernel.plus(more);
    }

    /** Ends a reading that failed. */
    public synchronized void abandon() {
        retiredMeanwhile = null;
    }

    /** The value that an element which is added again starts with; zero for most. */
    synchronized Counter initial(FixedSet set, byte[] key, int length) {
        Bytes own = Bytes.of(key, 0, length);
        Counter shown = givenUp.contains(own) ? Counter.ZERO : of(set, own);
        if (shown.packets() > 0) {
            beginnings.put(new Identity(set, own), shown);
        }
        return shown;
    }

    /** Whether nothing has been read, so that nothing need be remembered. */
    synchronized boolean isIdle() {
        return read.isEmpty() && absent.isEmpty() && retiredMeanwhile == null;
    }

    /** Begins a transaction: what an earlier one gave up that the kernel did not take is kept. */
    synchronized void begun() {
        givenUp.clear();
    }

    /** The kernel has taken the transaction: what it gave up loses its counts. */
    public synchronized void taken() {
        for (Bytes key : givenUp) {
            if (retiredMeanwhile != null) {
                retiredMeanwhile.add(key);
            }
            take(key, true);
        }
        givenUp.clear();
    }

    /** Drops the counts of a destination that its Service does not want any more, once the transaction is {@link #taken}. */
    synchronized void retire(Bytes key) {
        givenUp.add(key);
    }

    /**
     * Drops the counts of all destinations except these, once the transaction is {@link #taken}.
     *
     * @param wanted not asked for when nothing has been read
     */
    synchronized void retain(Supplier<Set<Bytes>> wanted) {
        if (isIdle()) {
            return;
        }
        Set<Bytes> gone = new HashSet<>();
        absent.keySet().forEach(identity -> gone.add(identity.key()));
        read.values().forEach(table -> table.left(element -> gone.add(key(table, element))));
        gone.removeAll(wanted.get());
        gone.forEach(this::retire);
    }

    private void take(Bytes key, boolean count) {
        for (FixedSet set : FixedSet.values()) {
            if (set.counts() && Elements.keyLength(family, set) == key.length()) {
                Counter counter = of(set, key);
                PackedTable table = table(read, set);
                boolean ignored = table.take(table.find(key.toArray(), 0));
                Identity identity = new Identity(set, key);
                absent.remove(identity);
                behind.remove(identity);
                beginnings.remove(identity);
                if (count) {
                    retired.merge(set, counter.packets(), Long::sum);
                }
            }
        }
    }

    /** The packets counted at an element, as far as they were read; 0 for an element that is not known. */
    public long packets(FixedSet set, Bytes key) {
        return of(set, key).packets();
    }

    private synchronized Counter of(FixedSet set, Bytes key) {
        PackedTable table = read.get(set);
        int element = table == null ? -1 : table.find(key.toArray(), 0);
        Identity identity = new Identity(set, key);
        if (table != null && element >= 0 && !table.isTaken(element)) {
            return shown(identity, table, element);
        }
        return absent.getOrDefault(identity, Counter.ZERO);
    }

    /** The packets counted at all elements of a set, those of destinations that no Service wants any more included. */
    public synchronized long total(FixedSet set) {
        long[] sum = {retired.getOrDefault(set, 0L)};
        PackedTable table = table(read, set);
        table.left(element -> sum[0] += counter(table, element).packets());
        absent.forEach((identity, counter) -> sum[0] += identity.set() == set ? counter.packets() : 0);
        behind.forEach((identity, counter) -> sum[0] += identity.set() == set ? counter.packets() : 0);
        return sum[0];
    }

    private PackedTable table(Map<FixedSet, PackedTable> tables, FixedSet set) {
        return tables.computeIfAbsent(set, key -> new PackedTable(Elements.keyLength(family, key), VALUE));
    }

    private static Bytes key(PackedTable table, int element) {
        int from = table.keyAt(element);
        return Bytes.of(table.content(element), from, from + table.keyLength());
    }

    private static Counter counter(PackedTable table, int element) {
        ByteBuffer value = ByteBuffer.wrap(table.content(element), table.valueAt(element), VALUE);
        return new Counter(value.getLong(), value.getLong());
    }
}
