package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.rules.encoding.BuiltInChains;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.dataplane.watch.OwnedIptablesObjects;
import io.dualstackd.netlink.io.BatchMemory;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.RuleView;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The iptables tables of one family, through nf_tables and one netlink socket. */
public final class NetlinkKernel implements Kernel {
    /** About 2 MB of messages; of two transactions at a time, one is sent and one is made. */
    static final int PORTION = 4_096;

    private final IpFamily family;
    private final IptablesEncoding encoding;
    private final Predicate<ChainId> interesting;
    private final Predicate<ChainId> wholly;
    private final NftSession session;

    /** The built-in chains that were there when all chains were last read. */
    private Map<Table, Set<String>> builtInSeen = new EnumMap<>(Table.class);
    /** The last reading; cleared once a batch that relies on it has been begun. */
    private @Nullable Fresh freshlyRead;

    /**
     * A reading that a batch may rely on, and how to repeat it.
     *
     * @param digest of what was read, which is not kept: it is as large as all that is applied
     * @param generation as in {@link SteadyReader.Steady}, like {@code certain}
     * @param all whether it was of all chains; otherwise others may have been changed before
     */
    private record Fresh(
            Fingerprint digest, int generation, boolean certain, NftClient.Reading<KernelChains> again, boolean all) {
        Fresh at(int now) {
            return new Fresh(digest, now, true, again, all);
        }
    }

    /** Opens a socket to the kernel's netfilter subsystem. */
    public interface Open {
        NlTransport transport() throws NetlinkException;
    }

    /**
     * @param encoding used by the thread that reads or commits, and only by it
     * @param interesting chains whose rules are read, the built-in ones apart, which always are
     * @param wholly those of them that only count as a whole ({@link KernelChains#contents})
     * @param ruleSetGate shared with the other reconcilers of this namespace
     */
    public NetlinkKernel(
            IpFamily family,
            IptablesEncoding encoding,
            Predicate<ChainId> interesting,
            Predicate<ChainId> wholly,
            Open open,
            Generations generations,
            RuleSetGate ruleSetGate) {
        this.family = family;
        this.encoding = encoding;
        this.interesting = interesting;
        this.wholly = wholly;
        this.session = new NftSession(open, new OwnedIptablesObjects(family), family, generations, ruleSetGate);
    }

    @Override
    public ReadResult<KernelChains> read() {
        return read(this::readOnce, true);
    }

    @Override
    public ReadResult<KernelChains> readAhead() {
        try {
            return read();
        } finally {
            // A subscription would last as long as the sources take.
            session.reader().done();
        }
    }

    @Override
    public boolean isUnchanged() {
        Fresh reliesOn = freshlyRead;
        if (reliesOn == null || !reliesOn.certain()) {
            return false;
        }
        return session.call(
                kernel -> {
                    int now = kernel.generation().id();
                    if (!session.seen().explained(now)) {
                        return false;
                    }
                    session.seen().know(now);
                    freshlyRead = reliesOn.at(now);
                    return true;
                },
                failed -> false);
    }

    @Override
    public ReadResult<KernelChains> read(Set<ChainId> chains) {
        return read(kernel -> readOnce(kernel, chains), false);
    }

    private ReadResult<KernelChains> read(NftClient.Reading<KernelChains> how, boolean all) {
        return session.call(
                kernel -> {
                    SteadyReader.Steady<KernelChains> reading =
                            all ? session.read(kernel, how) : session.readSome(kernel, how);
                    freshlyRead =
                            new Fresh(reading.value().digest(), reading.generation(), reading.certain(), how, all);
                    return new ReadResult.Found<>(reading.value());
                },
                failed -> new ReadResult.Failed<>(NetfilterAdvice.of(failed)));
    }

    private KernelChains readOnce(NftClient kernel) throws NetlinkException {
        Map<Table, Set<String>> builtIn = new EnumMap<>(Table.class);
        ChainsRead read = new ChainsRead(kernel);
        // Each is released once its rules are read.
        Deque<NftChain> listed = new ArrayDeque<>(kernel.chains(NftFamily.of(family)));
        for (NftChain chain = listed.poll(); chain != null; chain = listed.poll()) {
            Optional<Table> table = Table.named(chain.name().table().name());
            if (table.isPresent()) {
                ChainId id = new ChainId(table.get(), chain.name().name());
                if (BuiltIn.contains(id)) {
                    builtIn.computeIfAbsent(id.table(), key -> new HashSet<>()).add(id.name());
                }
                if (isRead(id)) {
                    read.rulesOf(id, chain);
                }
            }
        }
        builtInSeen = builtIn;
        Set<Table> complete = new HashSet<>();
        for (Map.Entry<Table, Set<String>> entry : builtIn.entrySet()) {
            Table table = entry.getKey();
            if (entry.getValue().containsAll(BuiltInChains.of(table).keySet()) && isActive(kernel, table)) {
                complete.add(table);
            }
        }
        return read.of(complete);
    }

    private boolean isActive(NftClient kernel, Table table) throws NetlinkException {
        return kernel.table(name(table))
                .filter(found -> (found.flags() & NftTable.DORMANT) == 0)
                .isPresent();
    }

    private KernelChains readOnce(NftClient kernel, Set<ChainId> wanted) throws NetlinkException {
        ChainsRead read = new ChainsRead(kernel);
        for (ChainId id : wanted) {
            Optional<NftChain> chain = kernel.chain(name(id.table()).chain(id.name()));
            if (chain.isPresent()) {
                read.rulesOf(id, chain.get());
            }
        }
        return read.of(Set.of());
    }

    /**
     * Reads chain by chain, not a whole table at once: for each 32 KiB of its answer the kernel walks the dumped list from its
     * beginning, so a table of 30,000 rules takes it a second.
     */
    private final class ChainsRead {
        private final NftClient kernel;
        private final Map<ChainId, List<KernelRule>> chains = new HashMap<>();
        private final Map<ChainId, Fingerprint> contents = new HashMap<>();

        ChainsRead(NftClient kernel) {
            this.kernel = kernel;
        }

        void rulesOf(ChainId id, NftChain chain) throws NetlinkException {
            List<KernelRule> rules = chain.use() == 0 ? List.of() : kernel.rules(chain.name(), this::found);
            if (wholly.test(id)) {
                contents.put(id, KernelChains.contentOf(rules));
            } else {
                chains.put(id, rules);
            }
        }

        private KernelRule found(NlMessage message) throws DecodeException {
            RuleView rule = RuleView.read(message);
            return new KernelRule(rule.handle(), encoding.print(rule.expressions()));
        }

        KernelChains of(Set<Table> complete) {
            return new KernelChains(complete, chains, contents);
        }
    }

    private boolean isRead(ChainId chain) {
        return BuiltIn.contains(chain) || interesting.test(chain);
    }

    @Override
    public int portion() {
        return PORTION;
    }

    @Override
    public Batch begin() {
        Fresh reliesOn = freshlyRead;
        freshlyRead = null;
        NftBatch batch = reliesOn != null && reliesOn.certain()
                ? NftBatch.begin(reliesOn.generation(), new BatchMemory())
                : NftBatch.begin(0, new BatchMemory());
        BatchOfOps ops = new BatchOfOps(batch, this::name, this::missingBuiltIn);
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
                NftOutcome outcome = session.commitInTurn(
                        batch,
                        kernel -> reliesOn == null ? OptionalInt.empty() : stillSo(kernel, reliesOn),
                        reliesOn == null || reliesOn.certain());
                if (outcome instanceof NftOutcome.Applied) {
                    // Nothing relies on what was read before; a subscription would receive each rule of the next
                    // transactions.
                    session.reader().done();
                }
                return translate(outcome, batch, ops);
            }

            @Override
            public void close() {
                batch.close();
            }
        };
    }

    /** The current generation, if the rules are as they were read. */
    private OptionalInt stillSo(NftClient kernel, Fresh fresh) throws NetlinkException {
        OptionalInt generation;
        SteadyReader reader = session.reader();
        if (reader.isListening()) {
            generation = reader.unchanged(kernel);
        } else {
            SteadyReader.Steady<KernelChains> now = reader.read(kernel, fresh.again());
            generation = now.certain() && now.value().digest().equals(fresh.digest())
                    ? OptionalInt.of(now.generation())
                    : OptionalInt.empty();
        }
        if (fresh.all()) {
            generation.ifPresent(session.seen()::know);
        }
        return generation;
    }

    private Outcome translate(NftOutcome outcome, NftBatch batch, BatchOfOps ops) {
        return switch (outcome) {
            case NftOutcome.Applied applied -> new Outcome.Applied(applied.handles(), batch.messages(), batch.bytes());
            case NftOutcome.Refused(var problems) -> new Outcome.Refused(refusals(ops, problems));
            case NftOutcome.Outdated() -> new Outcome.Outdated();
            case NftOutcome.Unreachable(NetlinkException reason) -> new Outcome.Unreachable(NetfilterAdvice.of(reason));
        };
    }

    private List<Refusal> refusals(BatchOfOps ops, List<NftOutcome.Problem> problems) {
        List<Refusal> refusals = new ArrayList<>();
        for (NftOutcome.Problem problem : problems) {
            Optional<Table> table = ops.tableOf(problem.index());
            String advised = table.map(made -> NetfilterAdvice.of(problem.refusal(), made, family))
                    .orElseGet(() -> NetfilterAdvice.of(problem.refusal()));
            refusals.add(new Refusal(ops.of(problem.index()), problem.operation() + ": " + advised));
            if (table.isPresent() && NetfilterAdvice.explainsTheRest(problem.refusal())) {
                break;
            }
        }
        return refusals;
    }

    @Override
    public boolean changedByOthers() {
        return session.changedByOthers();
    }

    @Override
    public void done() {
        freshlyRead = null;
        session.reader().done();
    }

    @Override
    public void close() {
        session.disconnect();
    }

    private TableName name(Table table) {
        return new TableName(NftFamily.of(family), table.toString());
    }

    /** Built-in chains are only created where missing: adding an existing one would set its policy. */
    private boolean missingBuiltIn(Table table, String chain) {
        return !builtInSeen.getOrDefault(table, Set.of()).contains(chain);
    }
}
