package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.watch.ChangedObject;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Syncs the kernel with the plans of one family, in one mode: the part of a reconciler below its thread. Owns the applied state and keeps
 * no plan: what is wanted is queried when it is needed. One call of {@link #run} is one sync: compare, apply the difference, update the
 * applied state from the answer. Used by one thread.
 */
public interface Syncer extends AutoCloseable {
    /**
     * Brings the kernel to what is wanted now. After a report that {@linkplain SyncResult#needsRetry needs a retry}, the next call
     * makes up for what this one did not do; {@code changed} need not be repeated. A caller that catches an exception of this method
     * must call {@link #invalidateAll}.
     *
     * @param planner the one that made the plans
     * @param changed Services that may differ from what they were at the last call, those that are gone included
     */
    SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services);

    /** Drops the applied state: the next {@link #run} reads the kernel and compares in full. */
    void invalidateAll();

    /** Marks objects that another program changed. The next {@link #run} reads and repairs them. */
    default void invalidate(Set<ChangedObject> changes) {
        invalidateAll();
    }

    /**
     * Whether the rules may have been changed by another program without a notification. For a moment also true while the notification
     * of another reconciler's or another program's transaction is on its way: it counts only if it stays true.
     */
    boolean changedByOthers();

    /** Retries Services that the kernel refused. */
    void retryRefused();

    /**
     * Reads the kernel's rules before it is known what is wanted, so that the first {@link #run} need not. A reading that others have
     * outdated by then is repeated.
     */
    default void readAhead() {}

    /** Whether the kernel has chains of iptables mode, which translate packets to endpoints. What is read for it need not be read by the next {@link #run}. */
    default boolean hasEndpointChains() {
        return false;
    }

    /**
     * Saves what is applied, so that the next process need not read all rules at its start. To be called last, when no reconciler of the
     * namespace changes rules any more.
     *
     * @param toRepair whether an external change was reported that is not repaired: then nothing is saved. Asked after the generation was
     *     read, because every change up to an accounted generation has been reported by then, however late.
     */
    default void saveCheckpoint(BooleanSupplier toRepair) {}

    /**
     * Runs the code of changes, without changing anything, so that the first real changes take no longer than later ones. To be called
     * while there is nothing to {@link #run}; a round takes up to some milliseconds.
     *
     * @param rounds how many changes to simulate
     * @param enough queried before each round; true ends the warm-up, because there is work to do
     * @return the rounds that were run: fewer when it was cut short
     */
    default int warmUp(int rounds, BooleanSupplier enough) {
        return rounds;
    }

    /** Closes the connection to the kernel; its rules stay. */
    @Override
    void close();
}
