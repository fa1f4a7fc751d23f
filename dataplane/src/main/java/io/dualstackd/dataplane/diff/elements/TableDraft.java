package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.elements.AppliedService.Unpacked;
import io.dualstackd.dataplane.diff.elements.TableContent.Table;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.rules.nftables.AffinityObjects;
import io.dualstackd.dataplane.rules.nftables.ChainRules;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.LaneChain;
import io.dualstackd.dataplane.rules.nftables.ServiceElements;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Member;
import io.dualstackd.dataplane.rules.nftables.TableChains;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * One transaction on the table of a family: set what is wanted, Service by Service, then call {@link #finish}. The messages go into the
 * batch in the order the kernel needs: sets, elements, chains, the verdicts that lead to them, rules; removals go last. A first load
 * may be several: the owner of the batch may apply and empty it between two Services while {@link #mayGoAhead}.
 */
public final class TableDraft {
    private final TableForm form;
    private final IpFamily family;
    private final TableName table;
    private final NftBatch batch;
    private final AppliedTable appliedTable;
    /** Whether elements are compared with those that were read, and not with what is applied. */
    private final boolean full;
    /** Whether all Services are set. */
    private final boolean complete;

    private final boolean missing;
    private final Elements kernel;
    private final Map<String, NftSet> sets;
    private final ElementEdits edits;
    private final ServiceComparison comparison;
    private final ElementCounters counters;
    private final ChainDraft chains;
    private final List<Elements> left = new ArrayList<>();
    private final Set<String> clientsLeft = new HashSet<>();
    private final Set<String> clientsWanted = new HashSet<>();
    private boolean lanesTouched;
    private boolean leftoversStay;
    /** Whether what was found was in use by packets; parts of an incomplete first load never were. */
    private final boolean serving;

    private int objects;

    private enum Extent {
        /** Some Services, compared with what is applied. */
        CHANGE,
        /** All Services, compared with the elements of a checkpoint, and everything else with what was read. */
        RESUME,
        /** All Services, compared with what was read. */
        FULL
    }

    private TableDraft(
            AppliedTable appliedTable,
            TableContent content,
            Extent extent,
            TableForm form,
            NftBatch batch,
            Function<RuleBody, Fingerprint> print,
            ElementCounters counters) {
        this.form = form;
        this.family = form.family();
        this.table = TableSets.name(family);
        this.batch = batch;
        this.appliedTable = appliedTable;
        this.full = extent == Extent.FULL;
        this.complete = extent != Extent.CHANGE;
        this.missing = content.table() == Table.MISSING;
        this.serving = content.chains().containsKey(TableChains.ENTRANCE);
        this.kernel = content.elements();
        this.sets = new HashMap<>(content.sets());
        this.edits = new ElementEdits(family, batch, set -> full && kernel.isEmpty(set));
        this.comparison = new ServiceComparison(family, appliedTable, edits, full, counters);
        this.counters = counters;
        this.chains = new ChainDraft(table, batch, appliedTable.chains, print);
        counters.begun();
    }

    /**
     * A full comparison with what was read.
     *
     * @param appliedTable empty; the applied state once the kernel accepted the batch
     * @param destinationConflicts the known destinations that several Services want
     * @param counters what elements that are added start to count from
     */
    public static TableDraft compareAll(
            AppliedTable appliedTable,
            DestinationConflicts destinationConflicts,
            TableContent content,
            TableForm form,
            NftBatch batch,
            Function<RuleBody, Fingerprint> print,
            ElementCounters counters) {
        appliedTable.destinationOwners.contest(destinationConflicts.claimants());
        content.elements().untake();
        TableDraft draft = new TableDraft(appliedTable, content, Extent.FULL, form, batch, print, counters);
        draft.begin(content);
        return draft;
    }

    /** A change of the applied state. */
    public static TableDraft change(
            AppliedTable appliedTable,
            TableForm form,
            NftBatch batch,
            Function<RuleBody, Fingerprint> print,
            ElementCounters counters) {
        return new TableDraft(
                appliedTable,
                TableContent.nothing(form.family(), Table.OURS),
                Extent.CHANGE,
                form,
                batch,
                print,
                counters);
    }

    /**
     * A comparison with the elements of a checkpoint; each of its Services has to be given to {@link #resume(ServiceKey, byte[],
     * ServiceElements)}.
     *
     * @param appliedTable made by {@link Checkpoint#applied}
     * @param frame the table without its elements, as it was read
     */
    public static TableDraft resume(
            AppliedTable appliedTable,
            TableContent frame,
            TableForm form,
            NftBatch batch,
            Function<RuleBody, Fingerprint> print,
            ElementCounters counters) {
        TableDraft draft = new TableDraft(appliedTable, frame, Extent.RESUME, form, batch, print, counters);
        draft.begin(frame);
        return draft;
    }

    private void begin(TableContent content) {
        if (content.table() == Table.FOREIGN) {
            object();
            batch.delete(table);
        }
        if (content.table() != Table.OURS) {
            object();
            batch.add(TableSets.table(family));
        }
        for (NftSet set : TableSets.fixed(form)) {
            if (!sets.containsKey(set.name().name())) {
                object();
                batch.add(set);
            }
        }
        appliedTable.chains.putAll(content.chains());
        for (Lane lane : Lane.values()) {
            sets.keySet()
                    .forEach(name -> Elements.countOf(lane, name)
                            .ifPresent(count -> appliedTable.declared(lane).add(count)));
        }
    }

    private void object() {
        objects++;
    }

    /** Provides the comments of elements, for the few that are repaired. */
    public interface CommentOf {
        /** The comment of the member of the set of that name that a Service has; one key may be in several sets. */
        String member(ServiceKey owner, String set, Bytes key);
    }

    /**
     * Restores what was read to the applied state; not to be mixed with changes, because missing elements cannot be removed.
     *
     * @param plan as applied
     * @param comment of members of fixed sets
     * @return Services whose chains were read: what they want has to be set, too
     */
    public Set<ServiceKey> repair(ReadBack readBack, NodePlan plan, CommentOf comment) {
        Expected expected = new Expected(family, appliedTable, readBack);
        readBack.chains().forEach((name, found) -> {
            found.ifPresentOrElse(
                    chain -> appliedTable.chains.put(name, chain), () -> appliedTable.chains.remove(name));
            chains.drop(name);
        });
        if (!readBack.chains().isEmpty()) {
            node(plan);
            lanesTouched = true;
        }
        new Repair(
                        edits,
                        expected,
                        (set, key) -> expected.owner(key)
                                .map(owner -> comment.member(owner, set, key))
                                .orElse(""),
                        counters)
                .elements(readBack);
        return expected.ofChains();
    }

    /** Sets what the node wants. */
    public void node(NodePlan plan) {
        TableChains.of(plan).forEach(chains::want);
        List<Member> members = switch (plan.nodePorts()) {
            case NodePortMatch.AllLocal ignored -> List.of();
            case NodePortMatch.Only(List<Ip> addresses) ->
                addresses.stream()
                        .map(ip -> new Member(FixedSet.NODE_PORT_ADDRESSES, Keys.address(ip), Bytes.EMPTY, null, ""))
                        .toList();
        };
        Elements has = full ? kernel : unpack(appliedTable.node).elements;
        comparison.compare(new ServiceElements(members, List.of(), List.of()), has, destination -> false);
        removeLater(has);
        appliedTable.node = comparison.writer().finish();
    }

    /** Sets what a Service wants; {@link ServiceElements#NOTHING} when it is gone. */
    public void service(ServiceKey key, ServiceElements given) {
        Elements has = kernel;
        if (!full) {
            appliedTable.destinationOwners.release(family, appliedTable.packed(key));
        }
        ServiceElements want = appliedTable.destinationOwners.claim(key, given);
        if (!full) {
            Unpacked before = unpack(appliedTable.packed(key));
            before.chains.forEach(chains::drop);
            clientsLeft.addAll(before.clients);
            has = before.elements;
        }
        want.spreads()
                .forEach(spread -> declare(spread.lane(), spread.endpoints().size()));
        comparison.compare(want, has, appliedTable.destinationOwners::isSuspect);
        if (!full) {
            comparison.retire(has, want);
        }
        removeLater(has);
        own(AffinityObjects.of(form, want.sticky()));
        byte[] packed = comparison.writer().finish();
        if (packed.length == 0) {
            appliedTable.packedServices.remove(key);
        } else {
            appliedTable.packedServices.put(key, packed);
        }
    }

    /**
     * Sets what a Service wants, in a comparison with a checkpoint.
     *
     * @param had what the Service had by the checkpoint, packed; empty for nothing
     * @param want {@link ServiceElements#NOTHING} when the Service is gone
     */
    public void resume(ServiceKey key, byte[] had, ServiceElements want) {
        if (had.length > 0) {
            appliedTable.packedServices.put(key, had);
        }
        // Chains and sets of clients are compared with those that were read.
        boolean objects = !want.sticky().isEmpty();
        if (objects || !comparison.same(want, had)) {
            service(key, want);
        }
    }

    /**
     * Keeps, in a full comparison, what a Service has in the table, because the kernel refuses what it wants; but not destinations that
     * another Service owns by now.
     *
     * @param had what the kernel last accepted, as {@link AppliedTable#packed} returned it; empty when that is not known
     * @param want where to look if it is not known
     */
    public void keep(ServiceKey key, Optional<byte[]> had, ServiceElements want) {
        byte[] held = had.orElseGet(() -> serving
                ? comparison.asFound(appliedTable.destinationOwners.own(key, want), kernel)
                : AppliedService.NOTHING);
        comparison.keep(held, kernel, destination -> appliedTable.destinationOwners.isOfAnother(key, destination));
        AppliedService.read(family, held, new AppliedService.EntryVisitor() {
            @Override
            public void chain(String name) {
                if (appliedTable.chains.containsKey(name)) {
                    chains.keep(name);
                    comparison.writer().chain(name);
                }
            }

            @Override
            public void clients(String name) {
                if (sets.containsKey(name)) {
                    appliedTable.clients.add(name);
                    clientsWanted.add(name);
                    comparison.writer().clients(name);
                }
            }
        });
        byte[] packed = comparison.writer().finish();
        if (packed.length > 0) {
            // This Service's rules may jump to chains that no Service wants.
            leftoversStay |= had.isEmpty();
            appliedTable.packedServices.put(key, packed);
            appliedTable.destinationOwners.hold(family, packed);
        }
    }

    private Unpacked unpack(byte[] packed) {
        Unpacked before = new Unpacked(family, packed);
        before.elements
                .allCounted()
                .forEach((lane, counts) -> counts.forEach((count, destinations) -> {
                    for (int i = 0; i < destinations.size(); i++) {
                        appliedTable.counts.less(lane, count);
                    }
                }));
        return before;
    }

    /** Keeps what was not taken until the end, as another Service may want it. Most Services leave nothing. */
    private void removeLater(Elements has) {
        if (!full && has.hasLeft()) {
            left.add(has);
        }
    }

    private void declare(Lane lane, int count) {
        if (appliedTable.declared(lane).add(count)) {
            object();
            lanesTouched = true;
            batch.add(TableSets.counted(family, lane, count));
        }
    }

    private void own(AffinityObjects objects) {
        for (NftSet set : objects.sets()) {
            String name = set.name().name();
            comparison.writer().clients(name);
            clientsWanted.add(name);
            if (appliedTable.clients.add(name) && !sets.containsKey(name)) {
                object();
                batch.add(set);
            }
        }
        for (ChainRules chain : objects.chains()) {
            comparison.writer().chain(chain.name());
            chains.want(chain);
        }
    }

    /**
     * Whether Services turned out to want the same destination: then the draft cannot be used, and all Services have to be queried, as
     * in {@link DestinationConflicts}.
     */
    public boolean disputed() {
        return appliedTable.destinationOwners.disputed();
    }

    /**
     * Whether what the batch holds so far may be applied before the rest: there was no table, and the chains, which direct packets to
     * it, are written by {@link #finish}.
     */
    public boolean mayGoAhead() {
        return missing && !disputed();
    }

    /** Writes the rest of the messages. */
    public void finish() {
        if (complete) {
            counters.retain(() -> DestinationOwners.destinations(family, appliedTable.packedServices.values()));
        }
        comparison.removeLeft(kernel);
        left.forEach(comparison::removeLeft);
        Set<String> setsToGo = setsToGo();
        if (complete && !leftoversStay) {
            chains.dropRest();
        }
        if (complete || lanesTouched) {
            for (Lane lane : Lane.values()) {
                SortedSet<Integer> counts = appliedTable.counts.inUse(lane);
                counts.forEach(count -> chains.want(LaneChain.drawing(family, lane, count)));
                chains.want(LaneChain.of(family, lane, counts));
                chains.want(LaneChain.first(family, lane));
            }
        }
        chains.settle();
        objects += chains.count() + setsToGo.size();
        edits.writeOut();
        edits.writeIn();
        chains.writeNew();
        edits.writeVerdicts();
        chains.writeRules();
        setsToGo.forEach(name -> batch.delete(table.set(name)));
        chains.writeDeletions();
    }

    private Set<String> setsToGo() {
        Set<String> names = new LinkedHashSet<>();
        for (Lane lane : Lane.values()) {
            appliedTable.declared(lane).removeIf(count -> {
                boolean unused = !appliedTable.counts.inUse(lane, count);
                if (unused) {
                    lanesTouched = true;
                    chains.drop(lane.chainName(count));
                    names.add(lane.setName(count));
                }
                return unused;
            });
        }
        clientsLeft.removeAll(clientsWanted);
        appliedTable.clients.removeAll(clientsLeft);
        names.addAll(clientsLeft);
        if (complete && !leftoversStay) {
            sets.keySet().stream()
                    .filter(name -> !appliedTable.clients.contains(name) && !kernel.isOfLayout(name))
                    .forEach(names::add);
        }
        return names;
    }

    /** As {@link #steps}, so far; grows with each Service set unless all of its elements exist already. */
    public int stepsSoFar() {
        return objects + edits.count() + chains.written();
    }

    /** The number of elements removed or added, and of objects made, changed or removed. */
    public int steps() {
        return objects + edits.count();
    }
}
