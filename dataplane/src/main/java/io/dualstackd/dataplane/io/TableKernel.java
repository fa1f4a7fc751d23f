package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.ReadBack;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.nft.NftBatch;

/**
 * The table of one family in the kernel. Used by one thread. Opens its socket when first needed, and again after a failure to speak
 * to the kernel, so that nothing of a broken conversation can be mistaken for an answer.
 */
public interface TableKernel extends AutoCloseable {
    /** Reads the table. */
    Reading read();

    /** Looks at some chains and elements, to repair them. */
    Look look(DirtyObjects dirtyObjects);

    /** Begins a transaction. The kernel hears of it when it is committed. Whoever begins one closes it. */
    NftBatch begin();

    /** Begins a transaction that is only right while what was {@linkplain #read read} last is still so. */
    NftBatch beginOnReading();

    /** Does all of a batch or nothing; to be called for a batch with messages. */
    NftOutcome commit(NftBatch batch);

    /**
     * Does what a batch on a reading holds so far, all or nothing, and empties it for what follows, which is only right while the
     * table is as this leaves it. Only for a table that was not there, and in which nothing leads to what goes ahead.
     */
    NftOutcome commitAhead(NftBatch batch);

    /** Sends a batch made for a version of the rules that never comes, so nobody need wait for a turn. */
    NftOutcome commitDryRun(NftBatch batch);

    /** As {@link Kernel#done}. */
    default void done() {}

    /** As {@link Kernel#changedByOthers}. */
    boolean changedByOthers();

    @Override
    void close();

    /** What a read gave. */
    sealed interface Reading {
        record Found(TableContent content) implements Reading {}

        /** The kernel could not be read. */
        record Failed(String reason) implements Reading {}
    }

    /** What a look gave. */
    sealed interface Look {
        record Seen(ReadBack readBack) implements Look {}

        /** The kernel could not be read. */
        record Failed(String reason) implements Look {}
    }
}
