package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.elements.ChainFingerprint;
import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.Elements;
import io.dualstackd.dataplane.diff.elements.ReadBack;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.Refusal;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.RuleCompat;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A table in memory that takes batches all or nothing, refuses what the kernel refuses, and fails on request. */
final class FakeTableKernel implements TableKernel {
    /** What goes wrong with the next transaction. */
    enum Fault {
        NONE,
        OUTDATED,
        /** The transaction is in force, but the answer is lost. */
        ANSWER_LOST,
        NOT_SENT,
        UNREADABLE
    }

    private final IpFamily family;
    private final ExpressionPrint print;
    private final NlWriter scratch = new NlWriter();
    private State state = new State(false, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    Fault next = Fault.NONE;
    /** How many transactions go well before {@link #next}. */
    int spared;

    int transactions;
    /** Of transactions it took. */
    int messages;
    /** Of transactions it took. */
    long bytes;

    Predicate<NftChange> refuses = change -> false;

    /** Transactions refused as a whole, with ENOMEM and without a word about any message, when any message is one of these. */
    Predicate<NftChange> exhausts = change -> false;

    /** Elements by set and key, rules by chain. */
    private record State(
            boolean table,
            Map<String, NftSet> sets,
            Map<String, Map<String, NftElement>> elements,
            Map<String, NftChain> chains,
            Map<String, List<NftRule>> rules) {
        State copy(boolean present) {
            Map<String, Map<String, NftElement>> copies = new TreeMap<>();
            elements.forEach((set, all) -> copies.put(set, new TreeMap<>(all)));
            Map<String, List<NftRule>> ruleCopies = new TreeMap<>();
            rules.forEach((chain, all) -> ruleCopies.put(chain, new ArrayList<>(all)));
            return new State(present, new TreeMap<>(sets), copies, new TreeMap<>(chains), ruleCopies);
        }
    }

    FakeTableKernel(IpFamily family, ExpressionPrint print) {
        this.family = family;
        this.print = print;
    }

    int elements() {
        return state.elements.values().stream().mapToInt(Map::size).sum();
    }

    @Override
    public ReadResult<TableContent> read() {
        if (next == Fault.UNREADABLE && spared-- <= 0) {
            next = Fault.NONE;
            return new ReadResult.Failed<>("unreadable");
        }
        if (!state.table) {
            return new ReadResult.Found<>(TableContent.nothing(family, TableContent.Table.MISSING));
        }
        Elements elements = new Elements(family);
        state.elements.forEach((set, all) -> all.values().forEach(element -> put(elements, set, element)));
        Map<String, ChainFingerprint> chains = new HashMap<>();
        state.chains.forEach((name, chain) -> chains.put(name, print(chain)));
        return new ReadResult.Found<>(new TableContent(TableContent.Table.OURS, state.sets, chains, elements));
    }

    private ChainFingerprint print(NftChain chain) {
        Fingerprint content = Fingerprint.EMPTY;
        List<NftRule> rules = state.rules.getOrDefault(chain.name().name(), List.of());
        for (NftRule rule : rules) {
            content = content.then(print.of(RuleBody.encode(scratch, rule.expressions(), RuleCompat.NONE)));
        }
        return new ChainFingerprint(chain.hook(), content, rules.size());
    }

    private static void put(Elements into, String set, NftElement element) {
        byte[] key = bytes(element.key(), element.keyEnd());
        Elements.stickyLane(set)
                .ifPresentOrElse(
                        lane -> into.sticky(lane)
                                .put(
                                        element.key(),
                                        element.data() instanceof MapData.Does(Verdict.Goto(String chain))
                                                ? chain
                                                : "?"),
                        () -> into.named(set).ifPresent(table -> {
                            byte[] value =
                                    element.data() instanceof MapData.Value(Bytes data) ? data.toArray() : new byte[0];
                            table.add(key, 0, value, 0);
                        }));
    }

    private static byte[] bytes(Bytes first, Bytes second) {
        byte[] all = new byte[first.length() + second.length()];
        second.copyTo(all, first.copyTo(all, 0));
        return all;
    }

    @Override
    public ReadResult<ReadBack> readDirty(DirtyObjects dirtyObjects) {
        Map<String, Map<Bytes, Optional<ReadBack.Held>>> elements = new HashMap<>();
        dirtyObjects.elements().forEach((set, keys) -> {
            Map<String, NftElement> there = state.elements.getOrDefault(set, Map.of());
            Map<Bytes, Optional<ReadBack.Held>> held = new HashMap<>();
            keys.forEach(key ->
                    held.put(key, Optional.ofNullable(there.get(key.toString())).map(TableReader::held)));
            elements.put(set, held);
        });
        Map<String, Optional<ChainFingerprint>> chains = new HashMap<>();
        dirtyObjects
                .chains()
                .forEach(name -> chains.put(
                        name, Optional.ofNullable(state.chains.get(name)).map(this::print)));
        return new ReadResult.Found<>(new ReadBack(chains, elements));
    }

    /** Another program deletes the rules of a chain whose name starts so; returns the name. */
    ChainName flush(String start) {
        NftChain flushed = state.chains.values().stream()
                .filter(chain -> chain.name().name().startsWith(start))
                .findFirst()
                .orElseThrow();
        Objects.requireNonNull(state.rules.get(flushed.name().name())).clear();
        return flushed.name();
    }

    /** Another program deletes the elements with this data in maps; returns what the kernel reports of it. */
    Set<ChangedObject> removeElements(String data) {
        Set<ChangedObject> removed = new HashSet<>();
        state.elements.forEach((set, all) -> all.values().removeIf(element -> {
            boolean found = element.data().toString().contains(data);
            if (found) {
                removed.add(new ChangedObject.InElements(
                        Objects.requireNonNull(state.sets.get(set)).name(), Set.of(element.key())));
            }
            return found;
        }));
        return removed;
    }

    /** How many elements with this data are in maps. */
    long elementsWith(String data) {
        return state.elements.values().stream()
                .flatMap(all -> all.values().stream())
                .filter(element -> element.data().toString().contains(data))
                .count();
    }

    @Override
    public NftBatch begin() {
        return NftBatch.begin();
    }

    @Override
    public NftBatch beginOnReading() {
        return NftBatch.begin(1);
    }

    @Override
    public NftOutcome commit(NftBatch batch) {
        transactions++;
        Fault fault = spared > 0 ? Fault.NONE : next;
        next = spared > 0 ? next : Fault.NONE;
        spared--;
        if (fault == Fault.OUTDATED) {
            return new NftOutcome.Outdated();
        } else if (fault == Fault.NOT_SENT) {
            return new NftOutcome.Unreachable(new NetlinkException.AnswerLost("not sent"));
        }
        for (int index = 0; index < batch.messages(); index++) {
            if (exhausts.test(batch.step(index, 0))) {
                return new NftOutcome.Refused(
                        List.of(new NftOutcome.Problem(-1, "batch", Refusal.of(-1, Errno.ENOMEM))));
            }
        }
        State changed = state.copy(state.table);
        for (int index = 0; index < batch.messages(); index++) {
            NftChange change = batch.step(index, 0);
            boolean present = changed.table || change instanceof NftChange.TableSet;
            changed = present == changed.table ? changed : changed.copy(true);
            Optional<Errno> errno = refuses.test(change) ? Optional.of(Errno.EOPNOTSUPP) : apply(changed, change);
            if (errno.isPresent()) {
                return new NftOutcome.Refused(
                        List.of(new NftOutcome.Problem(index, "step " + index, Refusal.of(index, errno.get()))));
            }
        }
        state = changed;
        messages += batch.messages();
        bytes += batch.sealedBytes();
        return fault == Fault.ANSWER_LOST
                ? new NftOutcome.Unreachable(new NetlinkException.AnswerLost("batch"))
                : new NftOutcome.Applied(List.of(), Optional.empty());
    }

    @Override
    public NftOutcome commitAhead(NftBatch batch) {
        NftOutcome outcome = commit(batch);
        if (outcome instanceof NftOutcome.Applied) {
            batch.restart(1);
        }
        return outcome;
    }

    @Override
    public NftOutcome commitDryRun(NftBatch batch) {
        return new NftOutcome.Outdated();
    }

    private static Optional<Errno> apply(State on, NftChange change) {
        return switch (change) {
            case NftChange.TableSet ignored -> Optional.empty();
            case NftChange.SetSet(NftSet set) -> {
                on.sets.putIfAbsent(set.name().name(), set);
                on.elements.putIfAbsent(set.name().name(), new TreeMap<>());
                yield Optional.empty();
            }
            case NftChange.SetDeleted(var set) -> {
                boolean used = on.rules.values().stream()
                        .flatMap(List::stream)
                        .anyMatch(rule -> rule.toString().contains(" set " + set.name() + " "));
                on.elements.remove(set.name());
                yield used || on.sets.remove(set.name()) == null ? Optional.of(Errno.EBUSY) : Optional.empty();
            }
            case NftChange.ElementsSet(var set, List<NftElement> all) ->
                all.stream()
                        .flatMap(element ->
                                add(on, Objects.requireNonNull(on.elements.get(set.name())), element).stream())
                        .findFirst();
            case NftChange.ElementsDeleted(var set, List<NftElement> all) ->
                all.stream()
                        .filter(element -> on.elements
                                        .getOrDefault(set.name(), new TreeMap<>())
                                        .remove(element.key().toString())
                                == null)
                        .findFirst()
                        .map(missing -> Errno.ENOENT);
            case NftChange.ChainSet(NftChain chain) -> {
                on.chains.put(chain.name().name(), chain);
                yield Optional.empty();
            }
            case NftChange.RuleSet(NftRule rule) -> {
                on.rules
                        .computeIfAbsent(rule.chain().name(), name -> new ArrayList<>())
                        .add(rule);
                yield on.chains.containsKey(rule.chain().name()) ? Optional.empty() : Optional.of(Errno.ENOENT);
            }
            case NftChange.RuleDeleted(NftRule rule) -> {
                on.rules.remove(rule.chain().name());
                yield Optional.empty();
            }
            case NftChange.ChainDeleted(var chain) ->
                on.chains.remove(chain.name()) == null || on.rules.containsKey(chain.name())
                        ? Optional.of(Errno.EBUSY)
                        : Optional.empty();
            case NftChange.TableDeleted ignored -> Optional.of(Errno.EPERM);
            case NftChange.Committed ignored -> Optional.empty();
            case NftChange.Other ignored -> Optional.empty();
        };
    }

    private static Optional<Errno> add(State on, Map<String, NftElement> set, NftElement element) {
        if (set == null) {
            return Optional.of(Errno.ENOENT);
        }
        if (element.data() instanceof MapData.Does(Verdict.Goto(String chain)) && !on.chains.containsKey(chain)) {
            return Optional.of(Errno.ENOENT);
        }
        NftElement before = set.putIfAbsent(element.key().toString(), element);
        return before == null || before.data().equals(element.data()) ? Optional.empty() : Optional.of(Errno.EEXIST);
    }

    /** Names of all sets, for tests that look for leftovers. */
    Set<String> sets() {
        return state.sets.keySet();
    }

    @Override
    public boolean changedByOthers() {
        return false;
    }

    @Override
    public void close() {}
}
