package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ElementList;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The elements to remove and to add, set by set, already encoded. All removals are sent before any addition: an address may move from
 * one Service to another in one transaction. Additions to a set that was empty can be sent at once, so that a first load need not hold
 * all of them in memory.
 */
final class ElementEdits {
    private final TableName table;
    private final NftBatch batch;
    private final Predicate<String> wasEmpty;
    private final Map<FixedSet, SetEdit> members = new EnumMap<>(FixedSet.class);
    private final Map<Lane, SetEdit> slots = new EnumMap<>(Lane.class);
    private final Map<Lane, Map<Integer, SetEdit>> counted = new EnumMap<>(Lane.class);
    private final Map<String, SetEdit> byName = new HashMap<>();
    private final List<SetEdit> all = new ArrayList<>();
    private final Map<Lane, List<NftElement>> verdictsOut = new EnumMap<>(Lane.class);
    private final Map<Lane, List<NftElement>> verdictsIn = new EnumMap<>(Lane.class);
    private int count;

    /** @param wasEmpty whether a set, by name, had no element before */
    ElementEdits(IpFamily family, NftBatch batch, Predicate<String> wasEmpty) {
        this.table = TableSets.name(family);
        this.batch = batch;
        this.wasEmpty = wasEmpty;
    }

    /** The removals and additions of one set. */
    final class SetEdit {
        private final SetName name;
        private final boolean early;
        private final ElementList out = new ElementList();
        private final ElementList in = new ElementList();

        private SetEdit(String set) {
            this.name = table.set(set);
            this.early = wasEmpty.test(set);
            all.add(this);
        }

        /** The list to which an element to remove is appended. */
        ElementList out() {
            count++;
            return out.begin();
        }

        /** The list to which an element to add is appended. */
        ElementList in() {
            if (early && in.hasFull()) {
                batch.addFull(name, in);
            }
            count++;
            return in.begin();
        }
    }

    SetEdit members(FixedSet set) {
        return members.computeIfAbsent(set, key -> new SetEdit(key.setName()));
    }

    SetEdit slots(Lane lane) {
        return slots.computeIfAbsent(lane, key -> new SetEdit(key.mapName()));
    }

    SetEdit counted(Lane lane, int number) {
        return counted.computeIfAbsent(lane, key -> new HashMap<>())
                .computeIfAbsent(number, key -> new SetEdit(lane.setName(key)));
    }

    /** The edit of the set of that name, of any kind. */
    SetEdit named(String set) {
        return byName.computeIfAbsent(set, SetEdit::new);
    }

    void verdictOut(Lane lane, Bytes destination) {
        count++;
        verdictsOut.computeIfAbsent(lane, key -> new ArrayList<>()).add(NftElement.of(destination));
    }

    void verdictIn(Lane lane, Bytes destination, String chain) {
        count++;
        verdictsIn
                .computeIfAbsent(lane, key -> new ArrayList<>())
                .add(NftElement.of(destination, new Verdict.Goto(chain)));
    }

    /** The number of elements to remove or add. */
    int count() {
        return count;
    }

    void writeOut() {
        verdictsOut.forEach((lane, elements) -> batch.deleteElements(table.set(lane.stickyMapName()), elements));
        for (SetEdit edit : all) {
            batch.deleteElements(edit.name, edit.out);
        }
    }

    void writeIn() {
        for (SetEdit edit : all) {
            batch.addElements(edit.name, edit.in);
        }
    }

    /** Writes the verdicts; the chains they name must exist. */
    void writeVerdicts() {
        verdictsIn.forEach((lane, elements) -> batch.addElements(table.set(lane.stickyMapName()), elements));
    }
}
