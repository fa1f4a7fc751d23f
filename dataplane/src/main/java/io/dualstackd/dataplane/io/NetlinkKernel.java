package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.Transaction;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.Conversation;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.TableName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The iptables tables of one family, through nf_tables and one netlink socket. */
public final class NetlinkKernel implements Kernel {
    private final IpFamily family;
    private final IptablesEncoding codec;
    private final Predicate<ChainId> interesting;
    private final Open open;

    private @Nullable NftClient client;
    private Map<Table, Set<String>> chainsSeen = new EnumMap<>(Table.class);
    private int generation;
    private boolean freshlyRead;

    /** Opens a socket to the kernel's netfilter subsystem. */
    public interface Open {
        NlTransport transport() throws NetlinkException;
    }

    /**
     * @param interesting chains whose rules are read, the built-in ones apart, which always are
     */
    public NetlinkKernel(IpFamily family, IptablesEncoding codec, Predicate<ChainId> interesting, Open open) {
        this.family = family;
        this.codec = codec;
        this.interesting = interesting;
        this.open = open;
    }

    @Override
    public Reading read() {
        try {
            NftClient.Snapshot<KernelChains> snapshot = kernel().consistently(this::readOnce);
            generation = snapshot.generation().id();
            freshlyRead = true;
            return new Reading.Found(snapshot.value());
        } catch (NetlinkException e) {
            hangUp();
            return new Reading.Failed(NetfilterAdvice.of(e));
        }
    }

    private KernelChains readOnce(NftClient kernel) throws NetlinkException {
        Map<Table, Set<String>> seen = new EnumMap<>(Table.class);
        Map<ChainId, List<KernelRule>> chains = new HashMap<>();
        for (NftChain chain : kernel.chains(NftFamily.of(family))) {
            Optional<Table> table = Table.named(chain.name().table().name());
            if (table.isPresent()) {
                seen.computeIfAbsent(table.get(), key -> new HashSet<>())
                        .add(chain.name().name());
                ChainId id = new ChainId(table.get(), chain.name().name());
                if (isRead(id)) {
                    chains.put(id, rules(kernel, chain));
                }
            }
        }
        chainsSeen = seen;
        Set<Table> complete = new HashSet<>();
        seen.forEach((table, names) -> {
            if (names.containsAll(BuiltInChains.of(table).keySet())) {
                complete.add(table);
            }
        });
        return new KernelChains(complete, chains);
    }

    /**
     * Chain by chain, not a whole table at once: for each 32 KiB of its answer the kernel walks the list asked for from its beginning,
     * so a table of 30,000 rules costs it a second.
     */
    private List<KernelRule> rules(NftClient kernel, NftChain chain) throws NetlinkException {
        List<KernelRule> rules = new ArrayList<>();
        if (chain.use() > 0) {
            for (NftRule rule : kernel.rules(chain.name())) {
                rules.add(new KernelRule(rule.handle(), codec.print(rule)));
            }
        }
        return rules;
    }

    private boolean isRead(ChainId chain) {
        return BuiltInChains.of(chain.table()).containsKey(chain.name()) || interesting.test(chain);
    }

    @Override
    public Outcome apply(Transaction transaction) {
        NftClient kernel;
        try {
            kernel = kernel();
        } catch (NetlinkException e) {
            return new Outcome.Unreachable(NetfilterAdvice.of(e));
        }
        NftBatch batch = freshlyRead ? NftBatch.begin(generation) : NftBatch.begin();
        freshlyRead = false;
        BatchOfOps ops = new BatchOfOps(batch, codec, this::name, this::missingBuiltIn);
        transaction.ops().forEach(ops::add);
        return switch (kernel.apply(batch)) {
            case NftOutcome.Applied applied -> {
                applied.generation().ifPresent(now -> generation = now.id());
                List<Long> handles =
                        applied.rules().stream().map(NftRule::handle).toList();
                yield new Outcome.Applied(handles, batch.messages(), batch.bytes());
            }
            case NftOutcome.Refused(var problems) ->
                new Outcome.Refused(
                        problems.stream().map(problem -> refusal(ops, problem)).toList());
            case NftOutcome.Outdated() -> new Outcome.Outdated();
            case NftOutcome.Unreachable(NetlinkException reason) -> {
                hangUp();
                yield new Outcome.Unreachable(NetfilterAdvice.of(reason));
            }
        };
    }

    private static Refusal refusal(BatchOfOps ops, NftOutcome.Problem problem) {
        return new Refusal(
                ops.of(problem.index()),
                problem.refusal().errno().number(),
                problem.operation() + ": " + NetfilterAdvice.of(problem.refusal()));
    }

    @Override
    public boolean changedByOthers() {
        try {
            return kernel().generation().id() != generation;
        } catch (NetlinkException e) {
            hangUp();
            return true;
        }
    }

    @Override
    public void close() {
        hangUp();
    }

    private NftClient kernel() throws NetlinkException {
        NftClient known = client;
        if (known == null) {
            known = new NftClient(new Conversation(open.transport()));
            client = known;
        }
        return known;
    }

    private void hangUp() {
        NftClient known = client;
        if (known != null) {
            known.close();
            client = null;
        }
    }

    private TableName name(Table table) {
        return new TableName(NftFamily.of(family), table.toString());
    }

    /** Built-in chains are only made where missing: adding one anew would set its policy. */
    private boolean missingBuiltIn(Table table, String chain) {
        return !chainsSeen.getOrDefault(table, Set.of()).contains(chain);
    }
}
