package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.ReadBack;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.nft.NftBatch;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The table of one family in the kernel. Used by one thread. Opens its socket when first needed, and again after a netlink failure, so
 * that no late message of the old socket can be taken for an answer.
 */
public interface TableKernel extends AutoCloseable {
    /** Reads the table. */
    ReadResult<TableContent> read();

    /**
     * Whether the table is known to be as it was when it was last read, so that {@link #beginOnReading} may still rely on that; to be called
     * while nothing was written since.
     */
    default boolean isUnchanged() {
        return false;
    }

    /**
     * Reads the table without its elements, while the rule set has this generation; empty when it has another one, or the table is not as
     * dualstackd leaves it. Counts as a reading for {@link #isUnchanged}.
     */
    default Optional<TableContent> readFrame(int generation) {
        return Optional.empty();
    }

    /** The current generation of the rule set, if every change by another program up to it is known. */
    default OptionalInt knownGeneration() {
        return OptionalInt.empty();
    }

    /** Reads some chains and elements, to repair them. */
    ReadResult<ReadBack> readDirty(DirtyObjects dirtyObjects);

    /** Begins a transaction. Nothing is sent before it is committed. The caller closes it. */
    NftBatch begin();

    /** Begins a transaction that is only right while the last {@linkplain #read reading} is still valid. */
    NftBatch beginOnReading();

    /** Applies all of a batch or nothing; to be called for a batch with messages. */
    NftOutcome commit(NftBatch batch);

    /**
     * Applies what a batch on a reading holds so far, all or nothing, and empties it for what follows, which is only right while the
     * table is as this leaves it. Only for a table that did not exist, and in which nothing leads to what is sent ahead.
     */
    NftOutcome commitAhead(NftBatch batch);

    /** Sends a batch for a generation that never comes, so there is no need to wait for a turn. */
    NftOutcome commitDryRun(NftBatch batch);

    /** As {@link Kernel#done}. */
    default void done() {}

    /** As {@link Kernel#changedByOthers}. */
    boolean changedByOthers();

    @Override
    void close();
}
