package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Transaction;

/**
 * One family's rules in the kernel. Used by one thread. Opens its socket when first needed, and again after a failure to speak to
 * the kernel, so that nothing of a broken conversation can be mistaken for an answer.
 */
public interface Kernel extends AutoCloseable {
    /** Reads the chains that are ours and the built-in chains. */
    Reading read();

    /** Applies all of {@code transaction} or nothing. */
    Outcome apply(Transaction transaction);

    /**
     * Whether the rules may have been changed by somebody else since the last {@link #read} or successful {@link #apply}. Never
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
