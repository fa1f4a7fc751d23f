package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.elements.Checkpoint;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.io.checkpoint.CheckpointFile;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a table before the first sync, while the sources are still being read: the whole table, or the checkpoint of the former
 * process and everything but the elements. Used by one thread.
 */
final class FirstReading {
    private final TableForm form;
    private final TableKernel kernel;
    private final Optional<CheckpointFile> file;
    private @Nullable Resumable resumable;
    private @Nullable TableContent content;

    /**
     * A checkpoint that still holds.
     *
     * @param frame the table without its elements, as it is now
     */
    record Resumable(Checkpoint checkpoint, TableContent frame) {}

    /** @param file the checkpoint of the former process; empty where there is none */
    FirstReading(TableForm form, TableKernel kernel, Optional<CheckpointFile> file) {
        this.form = form;
        this.kernel = kernel;
        this.file = file;
    }

    /** Reads the checkpoint, or else the whole table. */
    void read() {
        resumable = file.flatMap(checkpoints -> checkpoints.take(form))
                .flatMap(checkpoint -> kernel.readFrame(checkpoint.ruleSet().generation())
                        .map(frame -> new Resumable(checkpoint, frame)))
                .orElse(null);
        if (resumable == null) {
            content = kernel.read() instanceof ReadResult.Found(TableContent found) ? found : null;
        }
    }

    /** Takes the checkpoint, if there is one and the table was not changed since it was read. */
    Optional<Resumable> takeResumable() {
        Resumable taken = resumable;
        resumable = null;
        return taken != null && kernel.isUnchanged() ? Optional.of(taken) : Optional.empty();
    }

    /** Takes the table as it was read, if it was not changed since; otherwise reads it now. */
    ReadResult<TableContent> takeContent() {
        TableContent taken = content;
        content = null;
        return taken != null && kernel.isUnchanged() ? new ReadResult.Found<>(taken) : kernel.read();
    }

    /** Drops everything that was read. */
    void drop() {
        resumable = null;
        content = null;
    }
}
