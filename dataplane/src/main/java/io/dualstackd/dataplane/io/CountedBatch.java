package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.RulesByTable;
import java.util.List;

/** A transaction of iptables mode, and the number of rules it writes. */
final class CountedBatch implements AutoCloseable {
    private final Kernel.Batch batch;
    private long rules;

    CountedBatch(Kernel.Batch batch) {
        this.batch = batch;
    }

    void add(Op op) {
        switch (op) {
            case Op.AppendRule append -> rules += RulesByTable.of(append.chain().table(), 1);
            case Op.PlaceRule place -> rules += RulesByTable.of(place.chain().table(), 1);
            case Op.EnsureTable _, Op.CreateChain _, Op.FlushChain _, Op.DeleteChain _, Op.DeleteRule _ -> {}
        }
        batch.add(op);
    }

    @Override
    public void close() {
        batch.close();
    }

    int size() {
        return batch.size();
    }

    /** As numbers in {@link RulesByTable}. */
    long rules() {
        return rules;
    }

    /**
     * Applies the transaction, if there is anything in it.
     *
     * @param placements the number of new rules whose handles the kernel has to report
     */
    Outcome commit(int placements) {
        Outcome outcome = batch.size() == 0 ? new Outcome.Applied(List.of(), 0, 0) : batch.commit();
        return outcome instanceof Outcome.Applied applied && applied.placed().size() != placements
                ? new Outcome.Unreachable("the kernel accepted the transaction, but returned only "
                        + applied.placed().size() + " of " + placements + " handles of new rules")
                : outcome;
    }
}
