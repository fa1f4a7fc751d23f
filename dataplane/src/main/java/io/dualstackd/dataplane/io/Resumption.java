package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.elements.AppliedTable;
import io.dualstackd.dataplane.diff.elements.Checkpoint;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.io.checkpoint.CheckpointFile;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Passes the applied state of a table from one process to the next. While the rule set has the generation that the former process left, the
 * table is as that process left it. Used by one thread.
 */
final class Resumption {
    private final TableForm form;
    private final TableKernel kernel;
    private final Optional<CheckpointFile> file;
    private @Nullable Left left;

    /**
     * What the former process left.
     *
     * @param frame the table without its elements, as it is now
     */
    record Left(Checkpoint checkpoint, TableContent frame) {}

    /** @param file empty when nothing is passed on */
    Resumption(TableForm form, TableKernel kernel, Optional<CheckpointFile> file) {
        this.form = form;
        this.kernel = kernel;
        this.file = file;
    }

    /** Reads what the former process left; returns whether there is anything that still holds. */
    boolean prepare() {
        left = file.flatMap(checkpoints -> checkpoints.take(form))
                .flatMap(checkpoint ->
                        kernel.frame(checkpoint.ruleSet().generation()).map(frame -> new Left(checkpoint, frame)))
                .orElse(null);
        return left != null;
    }

    /** Returns what was prepared, once, unless the table was changed since. */
    Optional<Left> take() {
        Left prepared = left;
        left = null;
        if (prepared == null || !kernel.isUnchanged()) {
            return Optional.empty();
        }
        return Optional.of(prepared);
    }

    /** Drops what was prepared. */
    void drop() {
        left = null;
    }

    /** Leaves the applied state to the next process, if the kernel is known to have exactly that. */
    void leave(AppliedTable applied) {
        if (file.isPresent()) {
            OptionalInt generation = kernel.settledGeneration();
            generation.ifPresent(now -> file.get().write(form, now, applied));
        }
    }
}
