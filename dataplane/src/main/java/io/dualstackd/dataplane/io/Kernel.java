package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.Set;

/**
 * One family's rules in the kernel. Used by one thread. Opens its socket when first needed, and again after a failure to speak to
 * the kernel, so that nothing of a broken conversation can be mistaken for an answer.
 */
public interface Kernel extends AutoCloseable {
    /** Reads the chains that are ours and the built-in chains. */
    Reading read();

    /** Reads these chains and no other; those that are not there are left out of what is found. */
    Reading read(Set<ChainId> chains);

    /** Begins a transaction. The kernel hears of it when it is committed. */
    Batch begin();

    /** Steps that are done all or none. Used once, by one thread. */
    interface Batch {
        /** Adds a step, in the order the kernel must see them. */
        void add(Op op);

        /** Steps so far. */
        int size();

        /** Does all steps or nothing; to be called for a batch with steps. */
        Outcome commit();
    }

    /** The pass is over: nothing more will be done that relies on what was read. */
    default void done() {}

    /**
     * Whether the rules may have been changed by somebody else since the last {@link #read} or successful {@link Batch#commit}. Never
     * wrongly false for long; wrongly true costs a comparison.
     */
    boolean changedByOthers();

    @Override
    void close();

    /** What a read gave. */
    sealed interface Reading {
        record Found(KernelChains chains) implements Reading {}

        /** The kernel could not be read. */
        record Failed(String reason) implements Reading {}
    }
}
