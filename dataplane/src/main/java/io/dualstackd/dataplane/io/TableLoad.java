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
 * What one comparison sends: one transaction. Only what enters a table that was not there goes ahead in several, because all of a first
 * load at once is the most memory this program ever needs: until the last one makes the chains, no packet comes near. One that fails is
 * the last; what went ahead is found by the next pass. Used once, by one thread.
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

    /** @param portion bytes that are worth a transaction ahead of the rest */
    TableLoad(TableKernel kernel, NftBatch batch, TableDraft draft, int portion) {
        this.kernel = kernel;
        this.batch = batch;
        this.draft = draft;
        this.portion = portion;
    }

    /** Counts in what another one sent before, in the same pass. */
    TableLoad after(TableLoad before) {
        transactions += before.transactions;
        messages += before.messages;
        bytes += before.bytes;
        return this;
    }

    /** Whether more may be drafted: none of what went ahead failed. */
    boolean goesOn() {
        return failure == null;
    }

    /** Lets what is drafted go ahead if it may, and is enough. */
    void goAhead() {
        boolean enough = !batch.isEmpty() && batch.bytes() >= portion;
        if (enough && draft.mayGoAhead()) {
            NftOutcome outcome = send(kernel::commitAhead);
            failure = outcome instanceof NftOutcome.Applied ? null : outcome;
        }
    }

    /** Sends the rest, if there is any; tells how it ended. */
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

    /** Transactions the kernel took. */
    int transactions() {
        return transactions;
    }

    /** Of the transactions the kernel took, begins and ends not counted. */
    int messages() {
        return messages;
    }

    /** Of the transactions the kernel took. */
    long bytes() {
        return bytes;
    }

    /** As {@link NftBatch#step}, of the transaction that failed. */
    NftChange step(int index, int offset) {
        return batch.step(index, offset);
    }

    @Override
    public void close() {
        batch.close();
    }
}
