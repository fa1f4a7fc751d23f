package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.elements.TableDraft;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChange;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one comparison: normally one. Only additions to a table that did not exist are sent ahead in several, because a
 * whole first load at once would be the peak memory use of the process; until the last transaction creates the chains, no packet
 * reaches the table. When one fails no more are sent; the next sync finds what was sent ahead. Used once, by one thread.
 */
final class TableLoad implements AutoCloseable {
    private final TableKernel kernel;
    private final NftBatch batch;
    private final TableDraft draft;
    private final int portion;
    private @Nullable NftOutcome failure;
    private int transactions;
    private int messages;
    private long bytes;

    /** @param portion the bytes that make a transaction of their own ahead of the rest */
    TableLoad(TableKernel kernel, NftBatch batch, TableDraft draft, int portion) {
        this.kernel = kernel;
        this.batch = batch;
        this.draft = draft;
        this.portion = portion;
    }

    /** Adds the counts of another load, sent before in the same sync. */
    TableLoad after(TableLoad before) {
        transactions += before.transactions;
        messages += before.messages;
        bytes += before.bytes;
        return this;
    }

    /** Whether more may be drafted: none of the transactions sent ahead failed. */
    boolean goesOn() {
        return failure == null;
    }

    /** Sends what is drafted ahead of the rest, if that is allowed and it is large enough. */
    void goAhead() {
        boolean enough = !batch.isEmpty() && batch.bytes() >= portion;
        if (enough && draft.mayGoAhead()) {
            NftOutcome outcome = send(kernel::commitAhead);
            failure = outcome instanceof NftOutcome.Applied ? null : outcome;
        }
    }

    /** Sends the rest, if there is any; returns the outcome. */
    NftOutcome commit() {
        if (failure != null) {
            return failure;
        }
        draft.finish();
        return batch.isEmpty() ? new NftOutcome.Applied(List.of(), Optional.empty()) : send(kernel::commit);
    }

    private NftOutcome send(Function<NftBatch, NftOutcome> how) {
        int itsMessages = batch.messages();
        int itsBytes = batch.sealedBytes();
        NftOutcome outcome = how.apply(batch);
        if (outcome instanceof NftOutcome.Applied) {
            transactions++;
            messages += itsMessages;
            bytes += itsBytes;
        }
        return outcome;
    }

    /** The number of transactions the kernel accepted. */
    int transactions() {
        return transactions;
    }

    /** The number of messages in accepted transactions, begins and ends not counted. */
    int messages() {
        return messages;
    }

    /** The number of bytes in accepted transactions. */
    long bytes() {
        return bytes;
    }

    /** As {@link NftBatch#step}, for the transaction that failed. */
    NftChange step(int index, int offset) {
        return batch.step(index, offset);
    }

    @Override
    public void close() {
        batch.close();
    }
}
