package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.KeyShape;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;

/** Elements of all sets and maps of the layout: what a kernel's table holds, or what one Service has in it. */
public final class Elements {
    /** Numbers of endpoints have five digits. */
    private static final int MAX_DIGITS = 5;

    private final IpFamily family;
    private final Map<FixedSet, PackedTable> members = new EnumMap<>(FixedSet.class);
    private final Map<Lane, PackedTable> slots = new EnumMap<>(Lane.class);
    private final Map<Lane, Map<Integer, PackedTable>> counted = new EnumMap<>(Lane.class);
    private final Map<Lane, Map<Bytes, String>> sticky = new EnumMap<>(Lane.class);
    private final Map<Lane, Set<Bytes>> stickyTaken = new EnumMap<>(Lane.class);

    public Elements(IpFamily family) {
        this.family = family;
    }

    /** The length of a key in bytes, with that of a range's end. */
    static int keyLength(IpFamily family, FixedSet set) {
        int length = length(family, set.shape());
        return set.ranges() ? 2 * length : length;
    }

    static int length(IpFamily family, KeyShape shape) {
        return shape.length(family);
    }

    /** The length in bytes of a value in a map of endpoints: an address and a port. */
    static int endpointLength(IpFamily family) {
        return family.bytes() + Integer.BYTES;
    }

    /** Keys; those of ranges are followed by the last key. */
    public PackedTable members(FixedSet set) {
        return members.computeIfAbsent(set, key -> new PackedTable(keyLength(family, key), 0));
    }

    /** The map of endpoints of a lane. */
    public PackedTable slots(Lane lane) {
        return slots.computeIfAbsent(lane, key -> new PackedTable(length(family, key.slot()), endpointLength(family)));
    }

    /** The destinations of a lane with {@code count} endpoints. */
    public PackedTable counted(Lane lane, int count) {
        return counted.computeIfAbsent(lane, key -> new HashMap<>())
                .computeIfAbsent(count, key -> new PackedTable(length(family, lane.destination()), 0));
    }

    /** The verdict map of a lane: destinations and the chains they go to; an empty name is another verdict, of another program. */
    public Map<Bytes, String> sticky(Lane lane) {
        return sticky.computeIfAbsent(lane, key -> new HashMap<>());
    }

    /** The numbers of endpoints that a destination of a lane is counted with: one, unless another program adds elements. */
    List<Integer> countsOf(Lane lane, byte[] destination) {
        return counted.getOrDefault(lane, Map.of()).entrySet().stream()
                .filter(counts -> counts.getValue().find(destination, 0) >= 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The table of the set with that name; empty when the layout has no such set, or it holds verdicts. */
    public Optional<PackedTable> named(String name) {
        for (FixedSet set : FixedSet.values()) {
            if (name.equals(set.setName())) {
                return Optional.of(members(set));
            }
        }
        for (Lane lane : Lane.values()) {
            if (name.equals(lane.mapName())) {
                return Optional.of(slots(lane));
            }
            OptionalInt count = countOf(lane, name);
            if (count.isPresent()) {
                return Optional.of(counted(lane, count.getAsInt()));
            }
        }
        return Optional.empty();
    }

    /** Sets the content of the set of that name; only for sets that are {@link #named}. */
    public void put(String name, PackedTable content) {
        for (FixedSet set : FixedSet.values()) {
            if (name.equals(set.setName())) {
                members.put(set, content);
                return;
            }
        }
        for (Lane lane : Lane.values()) {
            if (name.equals(lane.mapName())) {
                slots.put(lane, content);
                return;
            }
            countOf(lane, name)
                    .ifPresent(count -> counted.computeIfAbsent(lane, key -> new HashMap<>())
                            .put(count, content));
        }
    }

    /** The lane whose verdict map has that name. */
    public static Optional<Lane> stickyLane(String name) {
        return Arrays.stream(Lane.values())
                .filter(lane -> name.equals(lane.stickyMapName()))
                .findFirst();
    }

    /** The lane whose map of endpoints has that name. */
    public static Optional<Lane> slotLane(String name) {
        return Arrays.stream(Lane.values())
                .filter(lane -> name.equals(lane.mapName()))
                .findFirst();
    }

    /** The number of slots that the destinations of a lane have together. */
    public long slotCount(Lane lane) {
        long slots = 0;
        for (Map.Entry<Integer, PackedTable> destinations :
                counted.getOrDefault(lane, Map.of()).entrySet()) {
            slots += (long) destinations.getKey() * destinations.getValue().size();
        }
        return slots;
    }

    /** Receives the key of a slot, in an array that the next key overwrites. */
    @FunctionalInterface
    public interface SlotKeys<E extends Exception> {
        void key(byte[] key) throws E;
    }

    /** Passes the keys of all slots that the destinations of a lane have. */
    public <E extends Exception> void eachSlot(Lane lane, SlotKeys<E> each) throws E {
        int length = length(family, lane.destination());
        byte[] key = new byte[length + Integer.BYTES];
        for (Map.Entry<Integer, PackedTable> destinations :
                counted.getOrDefault(lane, Map.of()).entrySet()) {
            PackedTable table = destinations.getValue();
            for (int element = 0; element < table.size(); element++) {
                System.arraycopy(table.content(element), table.keyAt(element), key, 0, length);
                for (int slot = 0; slot < destinations.getKey(); slot++) {
                    SlotKey.number(key, length, slot);
                    each.key(key);
                }
            }
        }
    }

    /** The number in the name of a set of destinations of the lane. */
    static OptionalInt countOf(Lane lane, String name) {
        int digits = lane.setName(0).length() - 1;
        if (name.length() > digits && name.length() <= digits + MAX_DIGITS) {
            String number = name.substring(digits);
            if (number.chars().allMatch(c -> c >= '0' && c <= '9')) {
                int count = Integer.parseInt(number);
                if (count > 0 && name.equals(lane.setName(count))) {
                    return OptionalInt.of(count);
                }
            }
        }
        return OptionalInt.empty();
    }

    /** Whether the layout has a set of that name. */
    boolean isOfLayout(String name) {
        return stickyLane(name).isPresent() || named(name).isPresent();
    }

    /** Whether the set of that name holds nothing. */
    boolean isEmpty(String name) {
        return named(name).map(table -> table.size() == 0).orElse(false);
    }

    /** Takes a destination of the verdict map of a lane, and returns what {@link #sticky} has for it; empty when it is not there. */
    Optional<String> takeSticky(Lane lane, Bytes destination) {
        Optional<String> chain = Optional.ofNullable(sticky(lane).get(destination));
        if (chain.isPresent()) {
            stickyTaken.computeIfAbsent(lane, key -> new HashSet<>()).add(destination);
        }
        return chain;
    }

    /** The destinations in verdict maps that were not taken. */
    void stickyLeft(BiConsumer<Lane, Bytes> each) {
        sticky.forEach((lane, chains) -> chains.keySet().forEach(destination -> {
            if (!stickyTaken.getOrDefault(lane, Set.of()).contains(destination)) {
                each.accept(lane, destination);
            }
        }));
    }

    /** Whether there is an element that was not taken. */
    boolean hasLeft() {
        return members.values().stream().anyMatch(PackedTable::hasLeft)
                || slots.values().stream().anyMatch(PackedTable::hasLeft)
                || counted.values().stream()
                        .anyMatch(counts -> counts.values().stream().anyMatch(PackedTable::hasLeft))
                || sticky.values().stream().anyMatch(chains -> !chains.isEmpty());
    }

    /** Marks all elements as not taken. */
    void untake() {
        stickyTaken.clear();
        members.values().forEach(PackedTable::untake);
        slots.values().forEach(PackedTable::untake);
        counted.values().forEach(counts -> counts.values().forEach(PackedTable::untake));
    }

    Map<FixedSet, PackedTable> allMembers() {
        return members;
    }

    Map<Lane, PackedTable> allSlots() {
        return slots;
    }

    Map<Lane, Map<Integer, PackedTable>> allCounted() {
        return counted;
    }
}
