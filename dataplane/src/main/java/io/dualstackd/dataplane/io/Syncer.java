package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.watch.ChangedObject;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The line of one family from views to the kernel, in one mode. Owns what is believed of the kernel and keeps no view: what is
 * wanted is asked for when it is needed. One call of {@link #run} is one pass: compare, apply the difference, believe the answer.
 * Used by one thread.
 */
public interface Syncer extends AutoCloseable {
    /**
     * Brings the kernel to what is wanted now. After a report that {@linkplain SyncResult#needsRetry needs a retry}, the next call
     * makes up for what this one did not do; {@code changed} need not be said again.
     * Whoever catches what this throws must call {@link #invalidateAll}.
     *
     * @param changed Services that may differ from what they were at the last call, those that are gone included
     */
    SyncResult run(NodeView node, Set<ServiceKey> changed, WantedServices wanted);

    /** The next {@link #run} reads the kernel and compares in full. */
    void invalidateAll();

    /** Somebody else changed this. The next {@link #run} finds out what it is now, and repairs it. */
    default void invalidate(Set<ChangedObject> changes) {
        invalidateAll();
    }

    /**
     * Whether the rules may have been changed by somebody else of whom nothing was heard. For a moment also true while a transaction
     * of another line, or news of a stranger's, are on their way: look twice before believing it.
     */
    boolean changedByOthers();

    /** Tries Services again that the kernel refused. */
    void retryRefused();

    /**
     * Does what changes do, without changing anything, so that the first real ones take no longer than later ones. To be called while
     * there is nothing to {@link #run}; a round takes up to some milliseconds.
     *
     * @param rounds how many changes to play
     * @param enough asked before each round, says that there is something to be done
     * @return false when it was cut short
     */
    default boolean warmUp(int rounds, BooleanSupplier enough) {
        return true;
    }

    /** Ends the conversation with the kernel; what it holds stays. */
    @Override
    void close();
}
