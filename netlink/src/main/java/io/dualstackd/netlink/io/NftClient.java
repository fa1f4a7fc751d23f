package io.dualstackd.netlink.io;

import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.ElementList;
import io.dualstackd.netlink.nft.ElementScan;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftGeneration;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftQuery;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.RuleView;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads and changes the nf_tables rule set of one network namespace. For one thread at a time. */
public final class NftClient implements AutoCloseable {
    /** How often {@link #consistently} tries. */
    public static final int READ_ATTEMPTS = 20;

    /** How many elements {@link #elements(SetName, ElementList, ElementScan.Sink)} asks for: the answers fit into a buffer of usual size. */
    public static final int KEYS_AT_ONCE = 128;

    /** How often a short list is read again although the caller checks whether it changed. */
    private static final int SHORT_ATTEMPTS = 5;

    /** The answers of kernels that do not know the flag of such an element. */
    private static final Set<Errno> NO_CATCH_ALL = Set.of(Errno.EINVAL, Errno.EOPNOTSUPP);

    private final NetlinkConnection kernel;
    private @Nullable Bystander bystander;

    public NftClient(NetlinkConnection kernel) {
        this.kernel = kernel;
    }

    /** For a given namespace. */
    public static NftClient open(NetNs ns) throws NetlinkException {
        return new NftClient(new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    /** As {@link #open(NetNs)}, through one of these sockets. */
    public static NftClient open(NetlinkSockets sockets) throws NetlinkException {
        return new NftClient(new NetlinkConnection(sockets.open(NlProtocol.NETFILTER)));
    }

    /** The port id, by which an {@link NftMonitor} distinguishes this client's changes from external ones. */
    public int portId() {
        return kernel.portId();
    }

    /** The current version of the rule set. */
    public NftGeneration generation() throws NetlinkException {
        return kernel.get(request(NftQuery.generation()), NftGeneration::read);
    }

    public List<NftTable> tables(NftFamily family) throws NetlinkException {
        return all(NftQuery.tables(family), NftTable::read);
    }

    /** One table, if it exists. */
    public Optional<NftTable> table(TableName table) throws NetlinkException {
        return find(NftQuery.table(table), NftTable::read);
    }

    /** One chain, if it exists. */
    public Optional<NftChain> chain(ChainName chain) throws NetlinkException {
        return find(NftQuery.chain(chain), NftChain::read);
    }

    /** The element with that key, if it exists; in sets without ranges. */
    public Optional<NftElement> element(SetName set, Bytes key) throws NetlinkException {
        return find(
                NftQuery.element(set, key),
                answer -> NftQuery.readElements(answer).getFirst());
    }

    /** The element for all keys without one of their own, if there is one; a kernel before 5.13 has none. */
    public Optional<NftElement> catchAll(SetName set) throws NetlinkException {
        try {
            return find(
                    NftQuery.catchAll(set),
                    answer -> NftQuery.readElements(answer).getFirst());
        } catch (NetlinkException.Refused e) {
            if (NO_CATCH_ALL.contains(e.errno())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The rule with that handle, if it exists. */
    public Optional<NftRule> rule(ChainName chain, long handle) throws NetlinkException {
        return find(NftQuery.rule(chain, handle), NftRule::read);
    }

    private <T> Optional<T> find(NftQuery query, NetlinkConnection.Decoder<T> decoder) throws NetlinkException {
        return kernel.find(request(query), Errno.ENOENT, decoder);
    }

    /** The chains of one table; none when there is no such table. */
    public List<NftChain> chains(TableName table) throws NetlinkException {
        return chains(table.family()).stream()
                .filter(chain -> chain.name().table().equals(table))
                .toList();
    }

    /** The chains of all tables of a family. */
    public List<NftChain> chains(NftFamily family) throws NetlinkException {
        NftQuery query = NftQuery.chains(family);
        Bystander judge = bystander;
        return judge == null ? all(query, NftChain::read) : chains(query, judge);
    }

    /**
     * The kernel continues a dump by counting, so the deletion of a chain meanwhile hides another one further on. Each attempt adds the
     * chains that those before it missed.
     */
    private List<NftChain> chains(NftQuery query, Bystander judge) throws NetlinkException {
        Map<ChainName, NftChain> seen = new LinkedHashMap<>();
        boolean ignored = judge.chainsMoved();
        for (int attempt = 0; attempt < SHORT_ATTEMPTS; attempt++) {
            NetlinkConnection.Listing<Listed<NftChain>> listing = once(query, NftChain::read);
            listing.value().items().forEach(chain -> seen.put(chain.name(), chain));
            judge.read(listing.interrupted());
            if (!listing.interrupted()) {
                return listing.value().items();
            }
            // The kernel hides a deleted chain, and marks the list, before it sends the notification.
            judge.catchUp(generation().id());
            if (!judge.chainsMoved()) {
                return listing.value().items();
            }
        }
        return List.copyOf(seen.values());
    }

    /**
     * The rules of one table, in order within each chain; none when there is no such table. The time in the kernel is quadratic in their
     * number; large tables should be read chain by chain, within {@link #consistently}.
     */
    public List<NftRule> rules(TableName table) throws NetlinkException {
        return all(NftQuery.rules(table), NftRule::read);
    }

    /** The rules of one chain in order; none when there is no such chain. */
    public List<NftRule> rules(ChainName chain) throws NetlinkException {
        return rules(chain, NftRule::read);
    }

    /** The rules of one chain in order, as returned by {@code decoder}; see {@link io.dualstackd.netlink.nft.RuleView}. */
    public <T> List<T> rules(ChainName chain, NetlinkConnection.Decoder<T> decoder) throws NetlinkException {
        return all(NftQuery.rules(chain), decoder);
    }

    /** The sets and maps of one table, anonymous ones included. */
    public List<NftSet> sets(TableName table) throws NetlinkException {
        return all(NftQuery.sets(table), NftQuery::readSet);
    }

    private <T> List<T> all(NftQuery query, NetlinkConnection.Decoder<T> decoder) throws NetlinkException {
        Bystander judge = bystander;
        if (judge == null) {
            return kernel.dump(request(query), decoder);
        }
        for (int attempt = 1; ; attempt++) {
            NetlinkConnection.Listing<Listed<T>> listing = once(query, decoder);
            judge.read(listing.interrupted());
            if (!listing.interrupted() || attempt == SHORT_ATTEMPTS) {
                return listing.value().items();
            }
        }
    }

    private <T> NetlinkConnection.Listing<Listed<T>> once(NftQuery query, NetlinkConnection.Decoder<T> decoder)
            throws NetlinkException {
        return kernel.dumpOnce(() -> new Listed<>(decoder, new ArrayList<>()), request(query));
    }

    private record Listed<T>(NetlinkConnection.Decoder<T> decoder, List<T> items) implements NetlinkConnection.Visitor {
        @Override
        public void visit(NlMessage message) throws DecodeException {
            items.add(decoder.decode(message));
        }
    }

    /**
     * The elements of one set or map.
     *
     * @throws NetlinkException.Refused with {@code ENOENT} when there is no such set
     * @throws NetlinkException.DumpInterrupted after {@link #READ_ATTEMPTS} attempts
     */
    public List<NftElement> elements(SetName set) throws NetlinkException {
        Request request = request(NftQuery.elements(set));
        for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
            List<NftElement> all = new ArrayList<>();
            kernel.dump(request, NftQuery::readElements).forEach(all::addAll);
            if (eachOnce(all)) {
                return all;
            }
        }
        throw new NetlinkException.DumpInterrupted(request.operation(), READ_ATTEMPTS);
    }

    /**
     * A set without a size grows while it is filled, and for a moment afterwards the kernel moves its elements between hash tables. A list
     * read in that moment contains some twice and others not at all, without the flag of an interrupted dump.
     */
    private static boolean eachOnce(List<NftElement> elements) {
        record Identity(Bytes key, Bytes keyEnd, int flags) {}
        Set<Identity> seen = HashSet.newHashSet(elements.size());
        for (NftElement element : elements) {
            if (!seen.add(new Identity(element.key(), element.keyEnd(), element.flags()))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Passes the elements of one set or map to a sink one by one. As the list may have to be read again, each attempt has a sink of its
     * own; the sink must detect duplicates, see {@link #elements(SetName)}.
     *
     * @param fresh creates an empty sink
     * @return the sink that received a whole list
     * @throws NetlinkException.Refused with {@code ENOENT} when there is no such set
     */
    public <T extends ElementScan.Sink> T elements(SetName set, Supplier<T> fresh) throws NetlinkException {
        record Taking<T extends ElementScan.Sink>(ElementScan scan, T sink) implements NetlinkConnection.Visitor {
            @Override
            public void visit(NlMessage message) throws DecodeException {
                scan.scan(message, sink);
            }
        }
        ElementScan scan = new ElementScan();
        Supplier<Taking<T>> taking = () -> new Taking<>(scan, fresh.get());
        Request request = request(NftQuery.elements(set));
        Bystander judge = bystander;
        if (judge == null) {
            return kernel.dumpInto(taking, request).sink();
        }
        NetlinkConnection.Listing<Taking<T>> listing = kernel.dumpOnce(taking, request);
        judge.read(listing.interrupted());
        return listing.value().sink();
    }

    /**
     * The number of elements of a set or map.
     *
     * @return empty when there is no such set, or the kernel does not say ({@code NFTA_SET_COUNT})
     */
    public OptionalInt elementCount(SetName set) throws NetlinkException {
        return find(NftQuery.set(set), NftQuery::readCount).orElse(OptionalInt.empty());
    }

    /**
     * Passes the elements with these keys to a sink. The kernel finds each by its hash, while it continues a list by counting from the
     * beginning: the time of a list is quadratic in the size of the set.
     *
     * @param keys at most {@link #KEYS_AT_ONCE}, so that the answers fit into the receive buffer; emptied
     * @return false when one of them does not exist; then the sink received some of the others
     */
    public boolean elements(SetName set, ElementList keys, ElementScan.Sink sink) throws NetlinkException {
        Request request = request(NftQuery.elements(set, keys));
        try {
            ElementScan scan = new ElementScan();
            for (NlMessage answer : kernel.request(request)) {
                scan.scan(answer, sink);
            }
            return true;
        } catch (NetlinkException.Refused e) {
            if (e.errno().equals(Errno.ENOENT)) {
                return false;
            }
            throw e;
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed(request.operation(), e);
        }
    }

    /** Reads several lists. */
    @FunctionalInterface
    public interface Reading<T> {
        T read(NftClient client) throws NetlinkException;
    }

    /** The value that was read, and the version of the rule set it was read from. */
    public record Snapshot<T>(NftGeneration generation, T value) {}

    /**
     * Reads several lists from one version of the rule set: reads again when it changed meanwhile.
     *
     * @throws NetlinkException.DumpInterrupted after {@link #READ_ATTEMPTS} attempts
     */
    public <T> Snapshot<T> consistently(Reading<T> reading) throws NetlinkException {
        NftGeneration before = generation();
        for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
            T value = reading.read(this);
            NftGeneration after = generation();
            if (after.id() == before.id()) {
                return new Snapshot<>(after, value);
            }
            before = after;
        }
        throw new NetlinkException.DumpInterrupted("read nf_tables", READ_ATTEMPTS);
    }

    /** Decides, while lists are read, whether external changes affect them. Used by the thread that reads. */
    public interface Bystander {
        /**
         * A list has been read: the notifications of the time it took should be processed now.
         *
         * @param interrupted the rule set changed meanwhile, somewhere in the namespace
         */
        void read(boolean interrupted) throws NetlinkException;

        /** Waits for the notifications of all changes up to this generation, and processes them; does nothing where none are received. */
        default void catchUp(int generation) throws NetlinkException {}

        /** Whether chains or tables of the family that is read were created or deleted since the last call. */
        boolean chainsMoved() throws NetlinkException;
    }

    /**
     * Reads several lists once, although other programs may change the rule set meanwhile. The kernel counts versions of the rule set of
     * the whole namespace and reports a list as interrupted when there is a new one; but a list whose own objects did not change is
     * complete nevertheless. {@code judge} decides whether they did. Lists whose dump position can be moved by others are read again some
     * times.
     */
    public <T> T beside(Bystander judge, Reading<T> reading) throws NetlinkException {
        bystander = judge;
        try {
            return reading.read(this);
        } finally {
            bystander = null;
        }
    }

    /** Applies a batch, all of it or nothing. An empty one is not sent. */
    public NftOutcome apply(NftBatch batch) {
        if (batch.isEmpty()) {
            return new NftOutcome.Applied(List.of(), Optional.empty());
        }
        int first = kernel.reserveSequences(batch.sequences());
        String operation = "nf_tables batch of " + batch.messages() + " messages";
        try {
            BatchAnswer answer = kernel.batch(operation, batch.seal(first), first, batch.lastSequence());
            return answer.accepted() ? applied(batch, answer.echoes()) : refused(batch, first, answer.refusals());
        } catch (NetlinkException e) {
            return new NftOutcome.Unreachable(e);
        } catch (DecodeException e) {
            return new NftOutcome.Unreachable(new NetlinkException.Malformed(operation, e));
        }
    }

    private static NftOutcome applied(NftBatch batch, List<NlMessage> echoes) throws DecodeException {
        List<Long> handles = new ArrayList<>();
        Optional<NftGeneration> generation = Optional.empty();
        for (NlMessage echo : echoes) {
            if (echo.type() == NftMessageType.NEW_GENERATION) {
                generation = Optional.of(NftGeneration.read(echo));
            } else if (echo.type() == NftMessageType.NEW_RULE && batch.wantsEcho(echo.sequence())) {
                handles.add(RuleView.read(echo).handle());
            }
        }
        return new NftOutcome.Applied(handles, generation);
    }

    private static NftOutcome refused(NftBatch batch, int first, List<Refusal> refusals) {
        List<NftOutcome.Problem> problems = new ArrayList<>();
        for (Refusal refusal : refusals) {
            if (refusal.errno().equals(Errno.ERESTART)) {
                return new NftOutcome.Outdated();
            }
            // The kernel does not say which message it had no memory for.
            int sequence = refusal.errno().equals(Errno.ENOMEM) ? first : refusal.sequence();
            String operation = batch.describe(sequence, refusal.offset().orElse(0));
            problems.add(new NftOutcome.Problem(sequence - first - 1, operation, refusal));
        }
        return new NftOutcome.Refused(problems);
    }

    private static Request request(NftQuery query) {
        return new Request(query.operation(), query.type(), 0, query.body());
    }

    @Override
    public void close() {
        kernel.close();
    }
}
