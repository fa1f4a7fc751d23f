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
    /** How often a batch is sent again that is outdated though nothing of ours has changed. */
    private static final int SEND_ATTEMPTS = 20;

    private final IpFamily family;
    private final TableReader table;
    private final SteadyReader reader;
    private final NetlinkKernel.Open open;
    /** All that was done to our table up to it is known. */
    private final SeenGeneration seen;

    private final RuleSetGate ruleSetGate;

    private @Nullable NftClient client;
    /** The version the next transaction is for. */
    private int present;
    /** The batch that relies on what was read. */
    private @Nullable NftBatch relying;

    private BatchBase batchBase = BatchBase.CONTENT;

    /** What the batch that relies on something relies on. */
    private enum BatchBase {
        /** There was no table when it was read. */
        NO_TABLE,
        /** There was none, and what went ahead has made it. */
        BEGUN,
        /** What was read. */
        CONTENT,
        /** What was read while others changed it, so that parts of it may be of different ages. */
        MOVING
    }

    /**
     * @param generations shared with whoever else accounts for changes in this namespace
     * @param ruleSetGate shared with the other lines of this namespace
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
            // The list it was in has not been read to its end, and the kernel allows one at a time.
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

    /** Of a load only the first transaction waits for its turn: whoever reads begins again then, but no table stays half made. */
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
                // The last time others may come in between: what they do is heard, or found at the next look.
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
     * The kernel counts generations of all rules of the namespace, so the other family's first load outdates ours. When everything
     * done since is accounted for, or there was no table and still is none, or the one we began is there and nobody completed it, the same batch is
     * right, and is sent again instead of made again. What is accounted for and was done to our table, the line has been told.
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
        // What somebody did to elements of a table we began, changedByOthers() asks for.
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
