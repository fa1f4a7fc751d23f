package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableContent.Table;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.nftables.TableChains;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.dataplane.watch.OwnedTable;
import io.dualstackd.netlink.io.BatchMemory;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.TableName;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The table of one family, through one netlink socket. */
public final class NetlinkTableKernel implements TableKernel {
    /** How often an outdated batch is sent again while no rule of dualstackd has changed. */
    private static final int SEND_ATTEMPTS = 20;

    private final IpFamily family;
    private final TableReader table;
    private final SteadyReader reader;
    private final NetlinkKernel.Open open;
    /** The generation up to which all changes to the table are known. */
    private final SeenGeneration seen;

    private final RuleSetGate ruleSetGate;

    private @Nullable NftClient client;
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
            IpFamily family,
            ExpressionPrint print,
            NetlinkKernel.Open open,
            Generations generations,
            RuleSetGate ruleSetGate) {
        this.family = family;
        this.table = new TableReader(family, print);
        this.reader = new SteadyReader(open, new OwnedTable(TableSets.name(family)), family);
        this.open = open;
        this.seen = new SeenGeneration(generations);
        this.ruleSetGate = ruleSetGate;
    }

    @Override
    public Reading read() {
        try {
            SteadyReader.Steady<TableContent> reading = ruleSetGate.reading(() -> reader.read(kernel(), table::read));
            seen.know(reading.generation());
            present = reading.certain() ? reading.generation() : 0;
            batchBase = footing(reading);
            return new Reading.Found(reading.value());
        } catch (NetlinkException e) {
            disconnect();
            return new Reading.Failed(NetfilterAdvice.of(e));
        } catch (RuntimeException | Error e) {
            // The dump it was in has not been read to its end, and the kernel allows one at a time.
            disconnect();
            throw e;
        }
    }

    private static BatchBase footing(SteadyReader.Steady<TableContent> reading) {
        if (!reading.certain()) {
            return BatchBase.MOVING;
        }
        return reading.value().table() == Table.MISSING ? BatchBase.NO_TABLE : BatchBase.CONTENT;
    }

    @Override
    public Look look(DirtyObjects dirtyObjects) {
        try {
            return new Look.Seen(table.look(kernel(), dirtyObjects));
        } catch (NetlinkException e) {
            disconnect();
            return new Look.Failed(NetfilterAdvice.of(e));
        } catch (RuntimeException | Error e) {
            disconnect();
            throw e;
        }
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
        return inTurn(batch, onReading);
    }

    @Override
    public NftOutcome commitAhead(NftBatch batch) {
        NftOutcome outcome = inTurn(batch, true);
        if (outcome instanceof NftOutcome.Applied) {
            batchBase = BatchBase.BEGUN;
            batch.restart(present);
        }
        return outcome;
    }

    /** Of a load only the first transaction waits for its turn: it makes a reader start again, but no table is left half made. */
    private NftOutcome inTurn(NftBatch batch, boolean onReading) {
        return onReading && batchBase == BatchBase.BEGUN
                ? commit(batch, true)
                : ruleSetGate.changing(() -> commit(batch, onReading));
    }

    @Override
    public NftOutcome commitDryRun(NftBatch batch) {
        return commit(batch, false);
    }

    private NftOutcome commit(NftBatch batch, boolean onReading) {
        try {
            NftClient kernel = kernel();
            NftOutcome outcome = kernel.apply(batch);
            for (int again = 1; outcome instanceof NftOutcome.Outdated && onReading; again++) {
                if (again > SEND_ATTEMPTS || !unchanged(kernel)) {
                    break;
                }
                // The last attempt is not tied to a generation: what others change in between is received, or found
                // at the next check.
                batch.renew(again == SEND_ATTEMPTS ? 0 : present);
                outcome = kernel.apply(batch);
            }
            return ended(outcome, onReading);
        } catch (NetlinkException e) {
            disconnect();
            return new NftOutcome.Unreachable(e);
        } catch (RuntimeException | Error e) {
            disconnect();
            throw e;
        }
    }

    private NftOutcome ended(NftOutcome outcome, boolean onReading) {
        switch (outcome) {
            case NftOutcome.Applied applied ->
                applied.generation().ifPresent(now -> {
                    present = now.id();
                    seen.committed(now.id());
                });
            case NftOutcome.Unreachable ignored -> disconnect();
            case NftOutcome.Outdated ignored -> reader.outdated();
            case NftOutcome.Refused refused -> {
                if (onReading && batchBase == BatchBase.MOVING && SteadyReader.mayBeOutdated(refused)) {
                    return new NftOutcome.Outdated();
                }
            }
        }
        return outcome;
    }

    /**
     * The kernel counts generations of all rules of the namespace, so the other family's first load outdates this batch. The batch is
     * still right, and is sent again instead of being rebuilt, in three cases: every generation since is accounted for; there was no
     * table and still is none; the table that was begun is there and no other program completed it. The reconciler has been notified of
     * changes to its table in generations that are accounted for.
     */
    private boolean unchanged(NftClient kernel) throws NetlinkException {
        if (batchBase == BatchBase.CONTENT && reader.isListening()) {
            OptionalInt now = reader.unchanged(kernel);
            now.ifPresent(generation -> {
                present = generation;
                seen.know(generation);
            });
            return now.isPresent();
        }
        NftClient.Snapshot<Boolean> asItWas = kernel.consistently(this::asItWas);
        int id = asItWas.generation().id();
        if (!asItWas.value() || (batchBase == BatchBase.CONTENT && !seen.explained(id))) {
            return false;
        }
        present = id;
        if (batchBase != BatchBase.BEGUN) {
            seen.know(id);
        }
        // What another program did to elements of a table that was begun is found by changedByOthers().
        return true;
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
        try {
            return seen.changedByOthers(kernel().generation().id());
        } catch (NetlinkException e) {
            disconnect();
            return true;
        }
    }

    @Override
    public void done() {
        reader.done();
    }

    @Override
    public void close() {
        disconnect();
    }

    private NftClient kernel() throws NetlinkException {
        NftClient known = client;
        if (known == null) {
            known = new NftClient(new NetlinkConnection(open.transport()));
            client = known;
        }
        return known;
    }

    private void disconnect() {
        reader.done();
        NftClient known = client;
        if (known != null) {
            known.close();
            client = null;
        }
    }
}
