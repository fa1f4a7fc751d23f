package io.dualstackd.dataplane.watch;

import io.dualstackd.dataplane.watch.ChangedObject.Anything;
import io.dualstackd.dataplane.watch.ChangedObject.InChain;
import io.dualstackd.dataplane.watch.ChangedObject.InElements;
import io.dualstackd.dataplane.watch.ChangedObject.InRules;
import io.dualstackd.dataplane.watch.ChangedObject.InSet;
import io.dualstackd.dataplane.watch.ChangedObject.InTable;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * External changes that are still to be handled. Bounded: of too many elements only their set is remembered, of too many objects
 * only their table. Used by one thread.
 */
public final class ChangeCoalescer {
    /** The most elements of one set that are remembered one by one. */
    static final int MOST_KEYS = 1_000;
    /** The most objects, elements apart, that are remembered one by one. */
    static final int MOST_THINGS = 250;

    private final Set<ChangedObject> things = new LinkedHashSet<>();
    private final Map<SetName, Set<Bytes>> elements = new HashMap<>();

    public void add(ChangedObject change) {
        switch (change) {
            case InElements(SetName set, Set<Bytes> keys) -> addElements(set, keys);
            case Anything ignored -> {
                clear();
                things.add(change);
            }
            case InTable(TableName table) -> addTable(table);
            case InChain(var chain) -> addThing(change, chain.table());
            case InRules(var chain) -> addThing(change, chain.table());
            case InSet(SetName set) -> {
                elements.remove(set);
                addThing(change, set.table());
            }
        }
    }

    private boolean isCovered(TableName table) {
        return things.contains(new InTable(table)) || things.contains(new Anything());
    }

    private void addThing(ChangedObject change, TableName table) {
        if (isCovered(table)) {
            return;
        }
        if (things.size() < MOST_THINGS) {
            things.add(change);
        } else if (!things.contains(change)) {
            addTable(table);
        }
    }

    private void addElements(SetName set, Set<Bytes> keys) {
        if (isCovered(set.table()) || things.contains(new InSet(set))) {
            return;
        }
        Set<Bytes> known = elements.computeIfAbsent(set, key -> new HashSet<>());
        known.addAll(keys);
        if (known.size() > MOST_KEYS) {
            add(new InSet(set));
        }
    }

    private void addTable(TableName table) {
        if (!isCovered(table)) {
            things.removeIf(thing -> isIn(thing, table));
            elements.keySet().removeIf(set -> set.table().equals(table));
            things.add(new InTable(table));
        }
    }

    private static boolean isIn(ChangedObject thing, TableName table) {
        return switch (thing) {
            case Anything ignored -> false;
            case InTable(TableName other) -> other.equals(table);
            case InChain(var chain) -> chain.table().equals(table);
            case InRules(var chain) -> chain.table().equals(table);
            case InSet(SetName set) -> set.table().equals(table);
            case InElements(SetName set, var ignored) -> set.table().equals(table);
        };
    }

    public boolean isEmpty() {
        return things.isEmpty() && elements.isEmpty();
    }

    /** Returns the changes gathered since the last call, and removes them. */
    public Set<ChangedObject> take() {
        Set<ChangedObject> taken = new LinkedHashSet<>(things);
        elements.forEach((set, keys) -> taken.add(new InElements(set, keys)));
        clear();
        return taken;
    }

    public void clear() {
        things.clear();
        elements.clear();
    }
}
