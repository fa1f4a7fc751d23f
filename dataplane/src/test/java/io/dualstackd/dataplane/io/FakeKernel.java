package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.FragmentImage.Place;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A kernel in memory that refuses what the real one refuses: applies to a copy, and swaps only when every step went well. */
public final class FakeKernel implements Kernel {
    private static final int ENOENT = 2;
    private static final int EBUSY = 16;

    /** A rule held by the fake kernel. */
    public record Held(long handle, RuleImage image) {}

    private Map<ChainId, List<Held>> chains = new TreeMap<>();
    private Set<Table> tables = new HashSet<>();
    private long nextHandle = 1;
    private Predicate<Op> refuses = op -> false;
    private Predicate<Op> exhausts = op -> false;
    private boolean foreignChange;
    private int echoesToLose;
    private int readsToFail;
    private int portion = Integer.MAX_VALUE;
    private int failing = -1;
    private Supplier<Outcome> failure = () -> new Outcome.Outdated();

    public final List<List<Op>> applied = new ArrayList<>();
    /** Those refused included. */
    public int transactions;

    public int reads;
    public int partialReads;

    /** Steps refused with EOPNOTSUPP, as by a kernel that lacks a match. */
    public void refuse(Predicate<Op> which) {
        refuses = which;
    }

    /** Transactions refused as a whole, with ENOMEM and without a word about any step, when any step is one of these. */
    public void exhaust(Predicate<Op> which) {
        exhausts = which;
    }

    /** The next transaction is applied, but its last {@code count} handles are not reported. */
    public void loseEchoes(int count) {
        echoesToLose = count;
    }

    /** The next {@code count} readings of everything fail. */
    public void failReads(int count) {
        readsToFail = count;
    }

    /** A first load is sent in transactions of this many steps. */
    public void sendIn(int steps) {
        portion = steps;
    }

    /** Transaction {@code number}, counted from 0, is not applied. */
    public void failAt(int number, Supplier<Outcome> how) {
        failing = number;
        failure = how;
    }

    /** What an admin or another program does behind our back. */
    public void flush() {
        chains.values().forEach(List::clear);
        foreignChange = true;
    }

    public void deleteAll() {
        chains.clear();
        tables.clear();
        foreignChange = true;
    }

    /** Puts a foreign rule at the end of a chain, which is made if missing. */
    public void foreignRule(ChainId chain, RuleImage rule) {
        chains.computeIfAbsent(chain, key -> new ArrayList<>()).add(new Held(nextHandle++, rule));
        foreignChange = true;
    }

    /** Another program's change to the rules of one chain, which is created if missing. */
    public void meddle(ChainId chain, Consumer<List<RuleImage>> change) {
        List<Held> held = chains.computeIfAbsent(chain, key -> new ArrayList<>());
        List<RuleImage> rules = new ArrayList<>(held.stream().map(Held::image).toList());
        change.accept(rules);
        Map<RuleImage, Deque<Held>> kept = new HashMap<>();
        held.forEach(rule ->
                kept.computeIfAbsent(rule.image(), key -> new ArrayDeque<>()).add(rule));
        held.clear();
        for (RuleImage rule : rules) {
            Held same = kept.getOrDefault(rule, new ArrayDeque<>()).poll();
            held.add(same == null ? new Held(nextHandle++, rule) : same);
        }
        foreignChange = true;
    }

    /** Deletes a chain that no rule jumps to; returns whether that was possible. */
    public boolean deleteChain(ChainId chain) {
        if (ledTo(chain, chains)) {
            return false;
        }
        chains.remove(chain);
        foreignChange = true;
        return true;
    }

    /** The rules of every chain, for comparison. */
    public Map<ChainId, List<Rule>> content() {
        Map<ChainId, List<Rule>> content = new TreeMap<>();
        chains.forEach((chain, held) -> content.put(
                chain, held.stream().map(rule -> rule.image().rule()).toList()));
        return content;
    }

    @Override
    public ReadResult<KernelChains> read() {
        reads++;
        if (readsToFail > 0) {
            readsToFail--;
            return new ReadResult.Failed<>("no answer");
        }
        return new ReadResult.Found<>(everything());
    }

    private KernelChains everything() {
        foreignChange = false;
        return read(tables, chains.keySet());
    }

    private KernelChains read(Set<Table> complete, Set<ChainId> wanted) {
        Map<ChainId, List<KernelRule>> read = new TreeMap<>();
        Map<ChainId, Fingerprint> contents = new TreeMap<>();
        for (ChainId chain : wanted) {
            List<KernelRule> rules = chains.getOrDefault(chain, List.of()).stream()
                    .map(rule -> new KernelRule(rule.handle(), rule.image().print()))
                    .toList();
            if (Ownership.ofService(chain)) {
                contents.put(chain, KernelChains.contentOf(rules));
            } else {
                read.put(chain, rules);
            }
        }
        return new KernelChains(complete, read, contents);
    }

    @Override
    public ReadResult<KernelChains> read(Set<ChainId> wanted) {
        foreignChange = false;
        Set<ChainId> there = new HashSet<>(wanted);
        there.retainAll(chains.keySet());
        partialReads++;
        return new ReadResult.Found<>(read(Set.of(), there));
    }

    @Override
    public int portion() {
        return portion;
    }

    @Override
    public Batch begin() {
        List<Op> ops = new ArrayList<>();
        return new Batch() {
            @Override
            public void add(Op op) {
                ops.add(op);
            }

            @Override
            public int size() {
                return ops.size();
            }

            @Override
            public Outcome commit() {
                return apply(List.copyOf(ops));
            }
        };
    }

    private Outcome apply(List<Op> transaction) {
        transactions++;
        if (transactions - 1 == failing) {
            return failure.get();
        }
        if (transaction.stream().anyMatch(exhausts)) {
            return new Outcome.Refused(List.of(new Refusal(Optional.empty(), "ENOMEM")));
        }
        Map<ChainId, List<Held>> copy = new TreeMap<>();
        chains.forEach((chain, held) -> copy.put(chain, new ArrayList<>(held)));
        Set<Table> tablesCopy = new HashSet<>(tables);
        List<Long> placed = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>();
        for (Op op : transaction) {
            int errno = refuses.test(op) ? 95 : step(op, copy, tablesCopy, placed);
            if (errno != 0) {
                refusals.add(new Refusal(Optional.of(op.origin()), "errno " + errno));
            }
        }
        if (!refusals.isEmpty()) {
            return new Outcome.Refused(refusals);
        }
        chains = copy;
        tables = tablesCopy;
        applied.add(transaction);
        placed = placed.subList(0, Math.max(0, placed.size() - echoesToLose));
        echoesToLose = 0;
        return new Outcome.Applied(placed, transaction.size() + 2, 100L * transaction.size());
    }

    private int step(Op op, Map<ChainId, List<Held>> state, Set<Table> known, List<Long> placed) {
        return switch (op) {
            case Op.EnsureTable(Table table, var ignored) -> {
                known.add(table);
                builtIn(table)
                        .forEach(name -> state.computeIfAbsent(new ChainId(table, name), key -> new ArrayList<>()));
                yield 0;
            }
            case Op.CreateChain(ChainId chain, var ignored) -> {
                state.computeIfAbsent(chain, key -> new ArrayList<>());
                yield known.contains(chain.table()) ? 0 : ENOENT;
            }
            case Op.FlushChain(ChainId chain, var ignored) -> {
                List<Held> rules = state.get(chain);
                if (rules == null) {
                    yield ENOENT;
                }
                rules.clear();
                yield 0;
            }
            case Op.DeleteChain(ChainId chain, var ignored) -> {
                List<Held> rules = state.get(chain);
                if (rules == null) {
                    yield ENOENT;
                }
                if (!rules.isEmpty() || ledTo(chain, state)) {
                    yield EBUSY;
                }
                state.remove(chain);
                yield 0;
            }
            case Op.AppendRule(ChainId chain, RuleImage rule, var ignored) -> add(chain, rule, Place.TAIL, state);
            case Op.PlaceRule(ChainId chain, Place place, RuleImage rule, var ignored) -> {
                placed.add(nextHandle);
                yield add(chain, rule, place, state);
            }
            case Op.DeleteRule(ChainId chain, long handle, var ignored) -> {
                List<Held> rules = state.get(chain);
                yield rules != null && rules.removeIf(held -> held.handle() == handle) ? 0 : ENOENT;
            }
        };
    }

    private int add(ChainId chain, RuleImage rule, Place place, Map<ChainId, List<Held>> state) {
        List<Held> rules = state.get(chain);
        boolean targetThere = !(rule.rule().target() instanceof Target.Jump(String to))
                || state.containsKey(new ChainId(chain.table(), to));
        if (rules == null || !targetThere) {
            return ENOENT;
        }
        Held held = new Held(nextHandle++, rule);
        if (place != Place.TAIL) {
            rules.addFirst(held);
        } else {
            rules.addLast(held);
        }
        return 0;
    }

    private static boolean ledTo(ChainId chain, Map<ChainId, List<Held>> state) {
        return state.entrySet().stream()
                .filter(entry -> entry.getKey().table() == chain.table())
                .flatMap(entry -> entry.getValue().stream())
                .anyMatch(held -> held.image().rule().target().equals(new Target.Jump(chain.name())));
    }

    private static Set<String> builtIn(Table table) {
        return switch (table) {
            case NAT -> Set.of("PREROUTING", "INPUT", "OUTPUT", "POSTROUTING");
            case FILTER -> Set.of("INPUT", "FORWARD", "OUTPUT");
            case MANGLE -> Set.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");
        };
    }

    @Override
    public boolean changedByOthers() {
        return foreignChange;
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return content().entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining("\n"));
    }
}
