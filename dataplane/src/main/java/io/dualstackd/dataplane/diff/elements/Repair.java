package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.diff.elements.ReadBack.Held;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.nft.ElementList;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Optional;
import java.util.function.BiFunction;

/** Restores elements that were read to the applied state. */
final class Repair {
    private final ElementEdits edits;
    private final Expected expected;
    private final BiFunction<String, Bytes, String> comment;
    private final ElementCounters counters;

    /**
     * @param comment of a member of a fixed set, by the name of the set and the key
     * @param counters what elements that are added start to count from
     */
    Repair(ElementEdits edits, Expected expected, BiFunction<String, Bytes, String> comment, ElementCounters counters) {
        this.counters = counters;
        this.edits = edits;
        this.expected = expected;
        this.comment = comment;
    }

    void elements(ReadBack readBack) {
        readBack.elements()
                .forEach((set, elements) -> elements.forEach((key, held) -> {
                    Optional<Held> wanted = expected.element(set, key);
                    if (!wanted.equals(held)) {
                        Elements.stickyLane(set)
                                .ifPresentOrElse(
                                        lane -> verdict(lane, key, held, wanted),
                                        () -> element(set, key, held, wanted));
                    }
                }));
    }

    private void verdict(Lane lane, Bytes key, Optional<Held> held, Optional<Held> wanted) {
        held.ifPresent(ignored -> edits.verdictOut(lane, key));
        wanted.ifPresent(verdict -> edits.verdictIn(lane, key, verdict.chain()));
    }

    private void element(String set, Bytes key, Optional<Held> held, Optional<Held> wanted) {
        ElementEdits.SetEdit edit = edits.named(set);
        byte[] bytes = key.toArray();
        if (held.isPresent()) {
            edit.out().key(bytes, 0, bytes.length).end();
        }
        if (wanted.isPresent()) {
            ElementList in = edit.in().key(bytes, 0, bytes.length);
            byte[] value = wanted.get().value().toArray();
            if (value.length > 0) {
                in.data(value, 0, value.length);
            }
            FixedSet.named(set).ifPresent(fixed -> ServiceComparison.counted(counters, fixed, bytes, bytes.length, in));
            in.comment(comment.apply(set, key)).end();
        }
    }
}
