package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.AppliedFragment.Placed;
import io.dualstackd.dataplane.diff.FragmentImage.ChainImage;
import io.dualstackd.dataplane.diff.FragmentImage.PlacedImage;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Finds the differences of any number of origins and emits the steps that remove them, in the order the kernel needs: created before
 * filled, filled before jumped to, no longer jumped to before deleted. Additions are emitted at once, so that a first load need not
 * hold all rules of the cluster in memory; removals are few and are emitted at the end. One draft makes one transaction; it is used
 * once, by one thread.
 */
public final class TransactionDraft {
    private final Map<ChainId, Fingerprint> contents;
    private final Map<Place, Deque<Long>> unclaimed = new HashMap<>();

    private final Consumer<Op> out;
    private final BiConsumer<Origin, FragmentImage> wants;
    private final List<Op> removals = new ArrayList<>();
    private final List<Op> emptied = new ArrayList<>();
    private final List<Op> deletions = new ArrayList<>();
    private int placements;

    private final Map<ChainId, Fingerprint> contentsAfter = new HashMap<>();
    private final Set<ChainId> gone = new HashSet<>();
    private final List<Draft> drafts = new ArrayList<>();

    private record Place(ChainId chain, Fingerprint print) {}

    private record Draft(Origin origin, List<ChainId> chains, List<Slot> slots, long rules) {}

    /** A placed rule whose handle is known, or will be in the answer to placement number {@code placement}. */
    private record Slot(ChainId chain, Fingerprint print, long handle, int placement) {}

    /**
     * @param contents the applied content of every own chain; shared chains are in it with {@link Fingerprint#EMPTY}; keys may be
     *     replaced by equal ones
     * @param out receives the steps
     */
    public TransactionDraft(Map<ChainId, Fingerprint> contents, Consumer<Op> out) {
        this(contents, out, (origin, want) -> {});
    }

    /** @param wants receives what each origin wants that is compared, before its steps */
    public TransactionDraft(
            Map<ChainId, Fingerprint> contents, Consumer<Op> out, BiConsumer<Origin, FragmentImage> wants) {
        this.contents = contents;
        this.out = out;
        this.wants = wants;
    }

    public void ensureTable(Table table) {
        out.accept(new Op.EnsureTable(table, Origin.NODE));
    }

    /** Creates a shared chain where it is missing; its rules are placed one by one. */
    public void ensureShared(ChainId chain) {
        if (!contents.containsKey(chain)) {
            out.accept(new Op.CreateChain(chain, Origin.NODE));
            contentsAfter.put(chain, Fingerprint.EMPTY);
        }
    }

    /** Adds a rule found in a shared chain, that an origin may turn out to want. Unwanted ones are deleted in the end. */
    public void offer(ChainId chain, Fingerprint print, long handle) {
        unclaimed
                .computeIfAbsent(new Place(chain, print), key -> new ArrayDeque<>())
                .add(handle);
    }

    /** Changes the rules of {@code origin} from {@code has}, the applied state, to {@code want}. */
    public void change(Origin origin, AppliedFragment has, FragmentImage want) {
        wants.accept(origin, want);
        List<ChainId> chains = new ArrayList<>(want.chains().size());
        for (ChainImage image : want.chains()) {
            chains.add(image.chain());
            if (!shareName(image.chain())) {
                out.accept(new Op.CreateChain(image.chain(), origin));
            }
        }
        for (ChainImage image : want.chains()) {
            writeChain(origin, image);
        }
        dropAllBut(chains, has, origin);
        drafts.add(new Draft(origin, chains, placeRules(origin, has, want.placed()), want.rules()));
    }

    /**
     * Makes the key of a chain in {@link #contents} the instance that its origin will have: the one there before takes another hundred
     * bytes.
     *
     * @return false when there is no such chain
     */
    private boolean shareName(ChainId chain) {
        Fingerprint content = contents.remove(chain);
        if (content != null) {
            contents.put(chain, content);
        }
        return content != null;
    }

    /** Places the rules that a {@link #change} of this draft left out, of an origin that had nothing: {@code want} is all it wants. */
    public void complete(Origin origin, FragmentImage want) {
        int index = 0;
        while (!drafts.get(index).origin().equals(origin)) {
            index++;
        }
        Draft begun = drafts.get(index);
        List<PlacedImage> missing = want.placed().stream()
                .filter(image -> begun.slots().stream()
                        .noneMatch(slot -> slot.chain().equals(image.chain())
                                && slot.print().equals(image.rule().print())))
                .toList();
        List<Slot> slots = new ArrayList<>(begun.slots());
        slots.addAll(placeRules(origin, AppliedFragment.NOTHING, missing));
        drafts.set(index, new Draft(origin, begun.chains(), slots, want.rules()));
    }

    /** Keeps what {@code origin} has, as far as it exists: its chains and, of rules that were offered, these. */
    public void keep(Origin origin, List<ChainId> chains, Map<ChainId, List<Fingerprint>> placed, long rules) {
        List<Slot> slots = new ArrayList<>();
        placed.forEach((chain, prints) -> prints.forEach(print -> {
            Long handle = claim(unclaimed, new Place(chain, print));
            if (handle != null) {
                slots.add(new Slot(chain, print, handle, -1));
            }
        }));
        drafts.add(new Draft(origin, chains, slots, rules));
    }

    private void dropAllBut(List<ChainId> chains, AppliedFragment has, Origin origin) {
        if (has.chains().isEmpty()) {
            return;
        }
        Set<ChainId> wanted = new HashSet<>(chains);
        for (ChainId chain : has.chains()) {
            if (!wanted.contains(chain)) {
                dropChain(origin, chain);
            }
        }
    }

    /** Empties and deletes a chain no origin wants. */
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

    /**
     * Deletes a chain no origin wants, or only empties it: what jumps to it must not meet rules of a Service that is gone.
     *
     * @param leave chains that the kernel refused to delete
     */
    void dropLeftover(ChainId chain, Set<ChainId> leave) {
        Origin origin = new Origin.Leftover(chain);
        if (!leave.contains(chain)) {
            dropChain(origin, chain);
        } else if (!Fingerprint.EMPTY.equals(contents.getOrDefault(chain, Fingerprint.EMPTY))) {
            emptied.add(new Op.FlushChain(chain, origin));
            contentsAfter.put(chain, Fingerprint.EMPTY);
        }
    }

    private void writeChain(Origin origin, ChainImage image) {
        Fingerprint has = contents.get(image.chain());
        if (image.content().equals(has)) {
            return;
        }
        if (has != null && !has.equals(Fingerprint.EMPTY)) {
            out.accept(new Op.FlushChain(image.chain(), origin));
        }
        for (RuleImage rule : image.rules()) {
            out.accept(new Op.AppendRule(image.chain(), rule, origin));
        }
        contentsAfter.put(image.chain(), image.content());
    }

    private List<Slot> placeRules(Origin origin, AppliedFragment has, Collection<PlacedImage> want) {
        Map<Place, Deque<Long>> own = new HashMap<>();
        for (Placed placed : has.placed()) {
            own.computeIfAbsent(new Place(placed.chain(), placed.print()), key -> new ArrayDeque<>())
                    .add(placed.handle());
        }
        List<Slot> slots = new ArrayList<>(want.size());
        boolean fresh = false;
        for (PlacedImage image : want) {
            // Where the rule that it has to precede is put at the head now, it is written anew.
            boolean again = fresh && image.place() == FragmentImage.Place.AHEAD;
            Place place = new Place(image.chain(), image.rule().print());
            Long handle = again ? null : claim(own, place);
            if (handle == null && !again) {
                handle = claim(unclaimed, place);
            }
            fresh = handle == null;
            if (handle != null) {
                slots.add(new Slot(image.chain(), place.print(), handle, -1));
            } else {
                slots.add(new Slot(image.chain(), place.print(), 0, placements++));
                out.accept(new Op.PlaceRule(image.chain(), image.place(), image.rule(), origin));
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

    /** Emits the last steps. */
    public void finish() {
        unclaimed.forEach((place, handles) -> handles.forEach(
                handle -> removals.add(new Op.DeleteRule(place.chain(), handle, new Origin.Leftover(place.chain())))));
        removals.forEach(out);
        emptied.forEach(out);
        deletions.forEach(out);
    }

    /** The number of rules that the steps place in shared chains: the kernel reports as many handles. */
    public int placements() {
        return placements;
    }

    /**
     * The change of the applied state once everything emitted is in force.
     *
     * @param handles those of the placed rules, in order
     */
    public AppliedChange after(List<Long> handles) {
        Map<Origin, AppliedFragment> written = new HashMap<>();
        for (Draft draft : drafts) {
            List<Placed> placed = draft.slots().stream()
                    .map(slot -> new Placed(
                            slot.chain(),
                            slot.print(),
                            slot.placement() < 0 ? slot.handle() : handles.get(slot.placement())))
                    .toList();
            written.put(draft.origin(), new AppliedFragment(draft.chains(), placed, draft.rules()));
        }
        return new AppliedChange(contentsAfter, gone, written);
    }

    /**
     * A change of the applied state.
     *
     * @param contents chains whose content is new
     * @param gone chains that are no longer there
     * @param written what each origin of the draft now has
     */
    public record AppliedChange(
            Map<ChainId, Fingerprint> contents, Set<ChainId> gone, Map<Origin, AppliedFragment> written) {}
}
