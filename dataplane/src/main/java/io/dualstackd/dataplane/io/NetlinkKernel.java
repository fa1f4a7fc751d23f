package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.Transaction;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.BatchAnswer;
import io.dualstackd.netlink.io.Conversation;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.io.Request;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftGeneration;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftQuery;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
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
    /** Reads that another program's changes cut through are repeated; more than this in a row is not normal. */
    private static final int READ_ATTEMPTS = 10;

    private final IpFamily family;
    private final IptablesEncoding codec;
    private final Predicate<ChainId> interesting;
    private final Open open;

    private @Nullable Conversation conversation;
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
            Conversation kernel = kernel();
            for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
                int before = generationOf(kernel);
                KernelChains chains = readOnce(kernel);
                generation = generationOf(kernel);
                if (generation == before) {
                    freshlyRead = true;
                    return new Reading.Found(chains);
                }
            }
            return new Reading.Failed("the rules changed during each of " + READ_ATTEMPTS + " attempts to read them");
        } catch (NetlinkException e) {
            hangUp();
            return new Reading.Failed(NetfilterAdvice.of(e));
        }
    }

    private KernelChains readOnce(Conversation kernel) throws NetlinkException {
        Map<Table, Set<String>> seen = new EnumMap<>(Table.class);
        Map<ChainId, List<KernelRule>> chains = new HashMap<>();
        for (NftChain chain : dump(kernel, NftQuery.chains(NftFamily.of(family)), NftChain::read)) {
            Optional<Table> table = table(chain.name().table());
            if (table.isPresent()) {
                seen.computeIfAbsent(table.get(), key -> new HashSet<>())
                        .add(chain.name().name());
                ChainId id = new ChainId(table.get(), chain.name().name());
                if (isRead(id)) {
                    chains.put(id, new ArrayList<>());
                }
            }
        }
        for (Table table : seen.keySet()) {
            for (NftRule rule : dump(kernel, NftQuery.rules(name(table)), NftRule::read)) {
                List<KernelRule> rules =
                        chains.get(new ChainId(table, rule.chain().name()));
                if (rules != null) {
                    rules.add(new KernelRule(rule.handle(), codec.print(rule)));
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

    private boolean isRead(ChainId chain) {
        return BuiltInChains.of(chain.table()).containsKey(chain.name()) || interesting.test(chain);
    }

    @Override
    public Outcome apply(Transaction transaction) {
        try {
            Conversation kernel = kernel();
            NftBatch batch = freshlyRead ? NftBatch.begin(generation) : NftBatch.begin();
            freshlyRead = false;
            BatchOfOps ops = new BatchOfOps(batch, codec, this::name, this::missingBuiltIn);
            transaction.ops().forEach(ops::add);
            int first = kernel.reserveSequences(batch.sequences());
            BatchAnswer answer = kernel.batch(
                    "apply " + transaction.size() + " steps to " + family,
                    batch.seal(first),
                    first,
                    batch.lastSequence());
            return answer.accepted() ? applied(kernel, answer, batch) : refused(answer, ops, batch, first);
        } catch (NetlinkException e) {
            hangUp();
            return new Outcome.Unreachable(NetfilterAdvice.of(e));
        } catch (DecodeException e) {
            hangUp();
            return new Outcome.Unreachable("the kernel's answer makes no sense: " + e.getMessage());
        }
    }

    private Outcome applied(Conversation kernel, BatchAnswer answer, NftBatch batch)
            throws DecodeException, NetlinkException {
        List<Long> handles = new ArrayList<>();
        boolean told = false;
        for (NlMessage echo : answer.echoes()) {
            if (echo.type() == NftMessageType.NEW_RULE) {
                handles.add(NftRule.read(echo).handle());
            } else if (echo.type() == NftMessageType.NEW_GENERATION) {
                generation = NftGeneration.read(echo).id();
                told = true;
            }
        }
        if (!told) {
            generation = generationOf(kernel);
        }
        return new Outcome.Applied(handles, batch.messages(), batch.bytes());
    }

    private static Outcome refused(BatchAnswer answer, BatchOfOps ops, NftBatch batch, int first) {
        List<Refusal> refusals = new ArrayList<>();
        for (io.dualstackd.netlink.io.Refusal refusal : answer.refusals()) {
            if (refusal.errno().equals(Errno.ERESTART)) {
                return new Outcome.Outdated();
            }
            String words =
                    batch.describe(refusal.sequence(), refusal.offset().orElse(0)) + ": " + NetfilterAdvice.of(refusal);
            refusals.add(new Refusal(
                    ops.of(refusal.sequence() - first - 1), refusal.errno().number(), words));
        }
        return new Outcome.Refused(refusals);
    }

    @Override
    public boolean changedByOthers() {
        try {
            return generationOf(kernel()) != generation;
        } catch (NetlinkException e) {
            hangUp();
            return true;
        }
    }

    @Override
    public void close() {
        hangUp();
    }

    private Conversation kernel() throws NetlinkException {
        Conversation known = conversation;
        if (known == null) {
            known = new Conversation(open.transport());
            conversation = known;
        }
        return known;
    }

    private void hangUp() {
        Conversation known = conversation;
        if (known != null) {
            known.close();
            conversation = null;
        }
    }

    private TableName name(Table table) {
        return new TableName(NftFamily.of(family), table.toString());
    }

    private Optional<Table> table(TableName name) {
        for (Table table : Table.values()) {
            if (table.toString().equals(name.name())) {
                return Optional.of(table);
            }
        }
        return Optional.empty();
    }

    /** Built-in chains are only made where missing: adding one anew would set its policy. */
    private boolean missingBuiltIn(Table table, String chain) {
        return !chainsSeen.getOrDefault(table, Set.of()).contains(chain);
    }

    private static int generationOf(Conversation kernel) throws NetlinkException {
        NftQuery query = NftQuery.generation();
        List<NlMessage> answer = kernel.request(new Request(query.operation(), query.type(), 0, query.body()));
        try {
            return NftGeneration.read(answer.getFirst()).id();
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed(query.operation(), e);
        }
    }

    private static <T> List<T> dump(Conversation kernel, NftQuery query, Conversation.Decoder<T> decoder)
            throws NetlinkException {
        return kernel.dump(new Request(query.operation(), query.type(), 0, query.body()), decoder);
    }
}
