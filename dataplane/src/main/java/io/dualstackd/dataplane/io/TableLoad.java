package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.elements.TableDraft;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChange;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one pass sends: one transaction. Only what enters a table that was not there goes ahead in several, because all of a first load
 * at once is the most memory this program ever needs: until the last one makes the chains, no packet comes near. One that fails is
 * the last; what went ahead is found by the next pass. Used once, by one thread.
 */
final class TableLoad implements AutoCloseable {
    private final TableKernel kernel;
    private final NftBatch batch;
    private final TableDraft draft;
    private final int portion;
    private @Nullable NftOutcome failure;
    private int messagesAhead;
    private long bytesAhead;

    /** @param portion bytes that are worth a transaction ahead of the rest */
    TableLoad(TableKernel kernel, NftBatch batch, TableDraft draft, int portion) {
        this.kernel = kernel;
        this.batch = batch;
        this.draft = draft;
        this.portion = portion;
    }

    /** Whether more may be drafted: none of what went ahead failed. */
    boolean goesOn() {
        return failure == null;
    }

    /** Lets what is drafted go ahead if it may, and is enough. */
    void goAhead() {
        if (batch.isEmpty() || batch.bytes() < portion || !draft.mayGoAhead()) {
            return;
        }
        int messages = batch.messages();
        int bytes = batch.bytes();
        NftOutcome outcome = kernel.commitAhead(batch);
        if (outcome instanceof NftOutcome.Applied) {
            messagesAhead += messages;
            bytesAhead += bytes;
        } else {
            failure = outcome;
        }
    }

    boolean wentAhead() {
        return messagesAhead > 0;
    }

    /** Sends the rest, if there is any; tells how it ended. */
    NftOutcome commit() {
        if (failure != null) {
            return failure;
        }
        draft.finish();
        return batch.isEmpty() ? new NftOutcome.Applied(List.of(), Optional.empty()) : kernel.commit(batch);
    }

    /** Messages so far, begins and ends not counted. */
    int messages() {
        return messagesAhead + batch.messages();
    }

    /** Bytes so far. */
    long bytes() {
        return messages() == 0 ? 0 : bytesAhead + batch.bytes();
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
