package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.elements.Doubts;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableContent.Table;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.nftables.TableChains;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.BatchMemory;
import io.dualstackd.netlink.io.Conversation;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.TableName;
import org.jspecify.annotations.Nullable;

/** The table of one family, through one netlink socket. */
public final class NetlinkTableKernel implements TableKernel {
    /** How often a batch is sent again that is outdated though nothing of ours has changed. */
    private static final int SEND_ATTEMPTS = 10;

    private final IpFamily family;
    private final TableReader reader;
    private final NetlinkKernel.Open open;
    private final Generations generations;
    private final Turns turns;

    private @Nullable NftClient client;
    /** All that was done to our table up to this version of the rule set is known. */
    private int generation;
    /** The version the next transaction is for. */
    private int present;
    /** The batch that relies on what was read. */
    private @Nullable NftBatch relying;

    private Footing footing = Footing.CONTENT;

    /** What the batch that relies on something relies on. */
    private enum Footing {
        /** There was no table when it was read. */
        NO_TABLE,
        /** There was none, and what went ahead has made it. */
        BEGUN,
        /** What was read. */
        CONTENT
    }

    /**
     * @param generations shared with whoever else accounts for changes in this namespace
     * @param turns shared with the other lines of this namespace
     */
    public NetlinkTableKernel(
            IpFamily family, ExpressionPrint print, NetlinkKernel.Open open, Generations generations, Turns turns) {
        this.family = family;
        this.reader = new TableReader(family, print);
        this.open = open;
        this.generations = generations;
        this.turns = turns;
    }

    @Override
    public Reading read() {
        try {
            NftClient.Snapshot<TableContent> snapshot = turns.reading(() -> kernel().consistently(reader::read));
            generation = snapshot.generation().id();
            present = generation;
            footing = snapshot.value().table() == Table.MISSING ? Footing.NO_TABLE : Footing.CONTENT;
            return new Reading.Found(snapshot.value());
        } catch (NetlinkException e) {
            hangUp();
            return new Reading.Failed(NetfilterAdvice.of(e));
        }
    }

    @Override
    public Look look(Doubts doubts) {
        try {
            return new Look.Seen(reader.look(kernel(), doubts));
        } catch (NetlinkException e) {
            hangUp();
            return new Look.Failed(NetfilterAdvice.of(e));
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
            footing = Footing.BEGUN;
            batch.restart(present);
        }
        return outcome;
    }

    /** Of a load only the first transaction waits for its turn: whoever reads begins again then, but no table stays half made. */
    private NftOutcome inTurn(NftBatch batch, boolean onReading) {
        return onReading && footing == Footing.BEGUN
                ? commit(batch, true)
                : turns.changing(() -> commit(batch, onReading));
    }

    @Override
    public NftOutcome commitInVain(NftBatch batch) {
        return commit(batch, false);
    }

    private NftOutcome commit(NftBatch batch, boolean onReading) {
        try {
            NftClient kernel = kernel();
            NftOutcome outcome = kernel.apply(batch);
            for (int again = 0; again < SEND_ATTEMPTS; again++) {
                if (!(outcome instanceof NftOutcome.Outdated) || !onReading || !unchanged(kernel)) {
                    break;
                }
                batch.renew(present);
                outcome = kernel.apply(batch);
            }
            if (outcome instanceof NftOutcome.Applied applied) {
                applied.generation().ifPresent(now -> follow(now.id()));
            } else if (outcome instanceof NftOutcome.Unreachable) {
                hangUp();
            }
            return outcome;
        } catch (NetlinkException e) {
            hangUp();
            return new NftOutcome.Unreachable(e);
        }
    }

    /**
     * The kernel counts generations of all rules of the namespace, so the other family's first load outdates ours. When everything
     * done since is accounted for, or there was no table and still is none, or the one we began is there and nobody completed it, the same batch is
     * right, and is sent again instead of made again. What is accounted for and was done to our table, the line has been told.
     */
    private boolean unchanged(NftClient kernel) throws NetlinkException {
        NftClient.Snapshot<Boolean> asItWas = kernel.consistently(this::asItWas);
        int id = asItWas.generation().id();
        if (!asItWas.value() || (footing == Footing.CONTENT && !generations.explain(generation, id))) {
            return false;
        }
        present = id;
        if (footing != Footing.BEGUN) {
            generation = id;
        }
        // What somebody did to elements of a table we began, changedByOthers() asks for.
        return true;
    }

    private boolean asItWas(NftClient kernel) throws NetlinkException {
        TableName table = TableSets.name(family);
        return switch (footing) {
            case NO_TABLE -> kernel.table(table).isEmpty();
            case BEGUN ->
                kernel.table(table).isPresent()
                        && kernel.chain(table.chain(TableChains.ENTRANCE)).isEmpty();
            case CONTENT -> true;
        };
    }

    /** When ours is not the next generation, somebody else made one in between, and what that changed must not go unseen. */
    private void follow(int now) {
        generations.account(now);
        present = now;
        if (now == generation + 1) {
            generation = now;
        }
    }

    @Override
    public boolean changedByOthers() {
        try {
            int now = kernel().generation().id();
            if (generations.explain(generation, now)) {
                generation = now;
                return false;
            }
            return true;
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
}
