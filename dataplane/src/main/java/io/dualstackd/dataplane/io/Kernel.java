package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.Set;

/**
 * One family's rules in the kernel. Used by one thread. Opens its socket when first needed, and again after a netlink failure, so that
 * no late message of the old socket can be taken for an answer.
 */
public interface Kernel extends AutoCloseable {
    /** Reads the own chains and the built-in chains. */
    ReadResult<KernelChains> read();

    /** As {@link #read}, long before a transaction relies on it: {@link #isUnchanged} must be true then. */
    default ReadResult<KernelChains> readAhead() {
        return new ReadResult.Failed<>("rules of this kind are not read ahead");
    }

    /** Whether the rules are known to be as {@link #readAhead} found them; to be called while nothing was written since. */
    default boolean isUnchanged() {
        return false;
    }

    /** Reads these chains and no others; missing ones are left out of the result. */
    ReadResult<KernelChains> read(Set<ChainId> chains);

    /** The steps that make a transaction of their own in a first load; many, where several transactions take longer than one. */
    default int portion() {
        return Integer.MAX_VALUE;
    }

    /** Begins a transaction. Nothing is sent before it is committed. */
    Batch begin();

    /** Steps that are applied all or none. Used once, by one thread; closing it frees their memory. */
    interface Batch extends AutoCloseable {
        /** Adds a step, in the order the kernel must see them. */
        void add(Op op);

        /** The number of steps so far. */
        int size();

        /** Applies all steps or none; to be called for a batch with steps. */
        Outcome commit();

        @Override
        default void close() {}
    }

    /** Ends a sync: nothing more will be done that relies on what was read. */
    default void done() {}

    /**
     * Whether the rules may have been changed by another program since the last {@link #read} or successful {@link Batch#commit}. Never
     * wrongly false for long; wrongly true costs a comparison.
     */
    boolean changedByOthers();

    @Override
    void close();
}
