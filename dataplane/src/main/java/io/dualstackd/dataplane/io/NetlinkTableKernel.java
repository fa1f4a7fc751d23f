package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.ReadBack;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableContent.Table;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.nftables.TableChains;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.dataplane.watch.OwnedTable;
import io.dualstackd.netlink.io.BatchMemory;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.TableName;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The table of one family, through one netlink socket. */
public final class NetlinkTableKernel implements TableKernel {
    private final IpFamily family;
    private final TableReader table;
    private final NftSession session;

    /** The generation the next transaction is for. */
    private int present;
    /** The batch that relies on what was read. */
    private @Nullable NftBatch relying;

    private BatchBase batchBase = BatchBase.CONTENT;

    /** What a batch made by {@code beginOnReading} relies on. */
    private enum BatchBase {
        /** There was no table when it was read. */
        NO_TABLE,
        /** There was none, and the part that was sent ahead has created it. */
        BEGUN,
        /** The content that was read. */
        CONTENT,
        /** Content read while others changed it, so that parts of it may be of different ages. */
        MOVING
    }

    /**
     * @param generations shared with whatever else accounts for changes in this namespace
     * @param ruleSetGate shared with the other reconcilers of this namespace
     */
    public NetlinkTableKernel(
            TableForm form,
            ExpressionPrint print,
            NetlinkKernel.Open open,
            Generations generations,
            RuleSetGate ruleSetGate) {
        this(form.family(), new TableReader(form, print), open, generations, ruleSetGate);
    }

    NetlinkTableKernel(
            IpFamily family,
            TableReader table,
            NetlinkKernel.Open open,
            Generations generations,
            RuleSetGate ruleSetGate) {
        this.family = family;
        this.table = table;
        this.session = new NftSession(open, new OwnedTable(TableSets.name(family)), family, generations, ruleSetGate);
    }

    @Override
    public ReadResult<TableContent> read() {
        return session.call(
                kernel -> {
                    SteadyReader.Steady<TableContent> reading = session.read(kernel, table::read);
                    present = reading.certain() ? reading.generation() : 0;
                    batchBase = batchBaseOf(reading);
                    if (batchBase == BatchBase.NO_TABLE) {
                        // While anything listens, the kernel makes a notification of each element of a first load.
                        session.reader().done();
                    }
                    return new ReadResult.Found<>(reading.value());
                },
                failed -> new ReadResult.Failed<>(NetfilterAdvice.of(failed)));
    }

    private static BatchBase batchBaseOf(SteadyReader.Steady<TableContent> reading) {
        if (!reading.certain()) {
            return BatchBase.MOVING;
        }
        return reading.value().table() == Table.MISSING ? BatchBase.NO_TABLE : BatchBase.CONTENT;
    }

    @Override
    public boolean isUnchanged() {
        return batchBase == BatchBase.CONTENT
                && session.call(kernel -> unchanged(kernel).isPresent(), failed -> false);
    }

    @Override
    public Optional<TableContent> readFrame(int generation) {
        return session.call(
                kernel -> {
                    if (kernel.generation().id() != generation) {
                        return Optional.empty();
                    }
                    SteadyReader.Steady<TableContent> reading = session.read(kernel, table::readFrame);
                    boolean same = reading.certain()
                            && reading.generation() == generation
                            && reading.value().table() == Table.OURS;
                    present = generation;
                    batchBase = same ? BatchBase.CONTENT : BatchBase.MOVING;
                    return same ? Optional.of(reading.value()) : Optional.empty();
                },
                failed -> Optional.empty());
    }

    @Override
    public OptionalInt knownGeneration() {
        return session.call(
                kernel -> {
                    int now = kernel.generation().id();
                    return session.seen().explained(now) ? OptionalInt.of(now) : OptionalInt.empty();
                },
                failed -> OptionalInt.empty());
    }

    @Override
    public ReadResult<ReadBack> readDirty(DirtyObjects dirtyObjects) {
        return session.call(
                kernel -> new ReadResult.Found<>(table.readDirty(kernel, dirtyObjects)),
                failed -> new ReadResult.Failed<>(NetfilterAdvice.of(failed)));
    }

    @Override
    public NftBatch begin() {
        return NftBatch.begin(0, new BatchMemory());
    }

    @Override
    public NftBatch beginOnReading() {
        NftBatch batch = NftBatch.begin(present, new BatchMemory());
        relying = batch;
        return batch;
    }

    @Override
    public NftOutcome commit(NftBatch batch) {
        boolean onReading = batch == relying;
        relying = null;
        if (!onReading) {
            return ended(session.commitInTurn(batch, kernel -> OptionalInt.empty(), true));
        }
        return commitOnReading(batch);
    }

    @Override
    public NftOutcome commitAhead(NftBatch batch) {
        NftOutcome outcome = commitOnReading(batch);
        if (outcome instanceof NftOutcome.Applied) {
            batchBase = BatchBase.BEGUN;
            batch.restart(present);
        }
        return outcome;
    }

    /** Of a load only the first transaction waits for its turn: it makes a reader start again, but no table is left half made. */
    private NftOutcome commitOnReading(NftBatch batch) {
        return ended(
                batchBase == BatchBase.BEGUN
                        ? session.commit(batch, this::unchanged, true)
                        : session.commitInTurn(batch, this::unchanged, batchBase != BatchBase.MOVING));
    }

    @Override
    public NftOutcome commitDryRun(NftBatch batch) {
        return session.commitDryRun(batch);
    }

    private NftOutcome ended(NftOutcome outcome) {
        if (outcome instanceof NftOutcome.Applied applied) {
            applied.generation().ifPresent(now -> present = now.id());
        }
        return outcome;
    }

    /**
     * The current generation, in three cases: every generation since is accounted for; there was no table and still is none; the table
     * that was begun is there and no other program completed it. The reconciler has been notified of changes to its table in generations
     * that are accounted for.
     */
    private OptionalInt unchanged(NftClient kernel) throws NetlinkException {
        SteadyReader reader = session.reader();
        if (batchBase == BatchBase.CONTENT && reader.isListening()) {
            OptionalInt now = reader.unchanged(kernel);
            now.ifPresent(generation -> {
                present = generation;
                session.seen().know(generation);
            });
            return now;
        }
        NftClient.Snapshot<Boolean> asItWas = kernel.consistently(this::asItWas);
        int id = asItWas.generation().id();
        if (!asItWas.value()
                || (batchBase == BatchBase.CONTENT && !session.seen().explained(id))) {
            return OptionalInt.empty();
        }
        present = id;
        if (batchBase != BatchBase.BEGUN) {
            session.seen().know(id);
        }
        // What another program did to elements of a table that was begun is found by changedByOthers().
        return OptionalInt.of(id);
    }

    private boolean asItWas(NftClient kernel) throws NetlinkException {
        TableName name = TableSets.name(family);
        return switch (batchBase) {
            case NO_TABLE -> kernel.table(name).isEmpty();
            case BEGUN ->
                kernel.table(name).isPresent()
                        && kernel.chain(name.chain(TableChains.ENTRANCE)).isEmpty();
            case CONTENT -> true;
            case MOVING -> false;
        };
    }

    @Override
    public boolean changedByOthers() {
        return session.changedByOthers();
    }

    @Override
    public void done() {
        session.reader().done();
    }

    @Override
    public void close() {
        session.disconnect();
    }
}
