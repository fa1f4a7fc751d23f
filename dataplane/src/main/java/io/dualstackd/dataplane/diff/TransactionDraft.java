package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.FragmentImage.ChainImage;
import io.dualstackd.dataplane.diff.FragmentImage.PlacedImage;
import io.dualstackd.dataplane.diff.Op.PlaceRule;
import io.dualstackd.dataplane.diff.Written.Placed;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Collects the differences of any number of origins and puts their steps into the order the kernel needs. One draft makes one
 * transaction; it is used by one thread and thrown away.
 */
public final class TransactionDraft {
    private final Map<ChainId, Fingerprint> contents;
    private final Map<Place, Deque<Long>> unclaimed = new HashMap<>();

    private final List<Op> tables = new ArrayList<>();
    private final List<Op> creations = new ArrayList<>();
    private final List<Op> contentsWritten = new ArrayList<>();
    private final List<PlaceRule> placements = new ArrayList<>();
    private final List<Op> removals = new ArrayList<>();
    private final List<Op> emptied = new ArrayList<>();
    private final List<Op> deletions = new ArrayList<>();

    private final Map<ChainId, Fingerprint> contentsAfter = new HashMap<>();
    private final Set<ChainId> gone = new HashSet<>();
    private final List<Draft> drafts = new ArrayList<>();

    private record Place(ChainId chain, Fingerprint print) {}

    private record Draft(Origin origin, List<ChainId> chains, List<Slot> slots, int rules) {}

    /** A placed rule whose handle is known, or will be the answer to placement number {@code placement}. */
    private record Slot(ChainId chain, Fingerprint print, long handle, int placement) {}

    /**
     * @param contents the believed content of every chain of ours; shared chains stand in it with {@link Fingerprint#EMPTY}
     */
    public TransactionDraft(Map<ChainId, Fingerprint> contents) {
        this.contents = contents;
    }

    public void ensureTable(Table table) {
        tables.add(new Op.EnsureTable(table, Origin.NODE));
    }

    /** A shared chain must be there; its rules are placed one by one. */
    public void ensureShared(ChainId chain) {
        if (!contents.containsKey(chain)) {
            creations.add(new Op.CreateChain(chain, Origin.NODE));
            contentsAfter.put(chain, Fingerprint.EMPTY);
        }
    }

    /** A rule found in a shared chain, that an origin may turn out to want. Those nobody wants are deleted in the end. */
    public void offer(ChainId chain, Fingerprint print, long handle) {
        unclaimed
                .computeIfAbsent(new Place(chain, print), key -> new ArrayDeque<>())
                .add(handle);
    }

    /** Makes {@code origin} have exactly {@code want}, where it is believed to have {@code has}. */
    public void change(Origin origin, Written has, FragmentImage want) {
        List<ChainId> chains = new ArrayList<>(want.chains().size());
        for (ChainImage image : want.chains()) {
            chains.add(image.chain());
            writeChain(origin, image);
        }
        Set<ChainId> wanted = new HashSet<>(chains);
        has.chains().stream().filter(chain -> !wanted.contains(chain)).forEach(chain -> dropChain(origin, chain));
        drafts.add(new Draft(origin, chains, placeRules(origin, has, want.placed()), want.rules()));
    }

    /** Empties and deletes a chain nobody wants. */
    public void dropChain(Origin origin, ChainId chain) {
        Fingerprint content = contents.get(chain);
        if (content == null || !gone.add(chain)) {
            return;
        }
        if (!content.equals(Fingerprint.EMPTY)) {
            emptied.add(new Op.FlushChain(chain, origin));
        }
        deletions.add(new Op.DeleteChain(chain, origin));
    }

    private void writeChain(Origin origin, ChainImage image) {
        Fingerprint has = contents.get(image.chain());
        if (image.content().equals(has)) {
            return;
        }
        if (has == null) {
            creations.add(new Op.CreateChain(image.chain(), origin));
        } else if (!has.equals(Fingerprint.EMPTY)) {
            contentsWritten.add(new Op.FlushChain(image.chain(), origin));
        }
        for (RuleImage rule : image.rules()) {
            contentsWritten.add(new Op.AppendRule(image.chain(), rule, origin));
        }
        contentsAfter.put(image.chain(), image.content());
    }

    private List<Slot> placeRules(Origin origin, Written has, Collection<PlacedImage> want) {
        Map<Place, Deque<Long>> own = new HashMap<>();
        for (Placed placed : has.placed()) {
            own.computeIfAbsent(new Place(placed.chain(), placed.print()), key -> new ArrayDeque<>())
                    .add(placed.handle());
        }
        List<Slot> slots = new ArrayList<>(want.size());
        for (PlacedImage image : want) {
            Place place = new Place(image.chain(), image.rule().print());
            Long handle = claim(own, place);
            if (handle == null) {
                handle = claim(unclaimed, place);
            }
            if (handle != null) {
                slots.add(new Slot(image.chain(), place.print(), handle, -1));
            } else {
                slots.add(new Slot(image.chain(), place.print(), 0, placements.size()));
                placements.add(new PlaceRule(image.chain(), image.place(), image.rule(), origin));
            }
        }
        own.forEach((place, handles) ->
                handles.forEach(handle -> removals.add(new Op.DeleteRule(place.chain(), handle, origin))));
        return slots;
    }

    private static @org.jspecify.annotations.Nullable Long claim(Map<Place, Deque<Long>> from, Place place) {
        Deque<Long> handles = from.get(place);
        return handles == null ? null : handles.poll();
    }

    /** The finished transaction with what to believe after it. */
    public Step finish() {
        unclaimed.forEach((place, handles) -> handles.forEach(
                handle -> removals.add(new Op.DeleteRule(place.chain(), handle, new Origin.Leftover(place.chain())))));
        List<Op> ops = Stream.of(tables, creations, contentsWritten, placements, removals, emptied, deletions)
                .<Op>flatMap(List::stream)
                .toList();
        return new Step(new Transaction(ops), handles -> after(handles));
    }

    private BeliefChange after(List<Long> handles) {
        Map<Origin, Written> written = new HashMap<>();
        for (Draft draft : drafts) {
            List<Placed> placed = draft.slots().stream()
                    .map(slot -> new Placed(
                            slot.chain(),
                            slot.print(),
                            slot.placement() < 0 ? slot.handle() : handles.get(slot.placement())))
                    .toList();
            written.put(draft.origin(), new Written(draft.chains(), placed, draft.rules()));
        }
        return new BeliefChange(contentsAfter, gone, written);
    }

    /** A transaction, and what to believe once the kernel has answered with the handles of the placed rules, in order. */
    public record Step(Transaction transaction, java.util.function.Function<List<Long>, BeliefChange> after) {}

    /**
     * How the belief changes.
     *
     * @param contents chains whose content is new
     * @param gone chains that are no longer there
     * @param written what each origin of the draft now has
     */
    public record BeliefChange(Map<ChainId, Fingerprint> contents, Set<ChainId> gone, Map<Origin, Written> written) {}
}
