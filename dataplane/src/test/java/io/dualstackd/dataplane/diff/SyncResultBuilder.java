package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResult.Totals;
import io.dualstackd.dataplane.diff.SyncResult.Work;
import io.dualstackd.dataplane.model.ServiceKey;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds a {@link SyncResult} for a test, from one that sent nothing and left nothing out. */
public final class SyncResultBuilder {
    private final Result result;
    private boolean comparedAll;
    private int ops;
    private int transactions;
    private int messages;
    private long bytes;
    private Totals totals = new Totals(0, 0, 0, 0, 0);
    private Map<ServiceKey, String> leftOut = Map.of();
    private Set<ServiceKey> kept = Set.of();

    private SyncResultBuilder(Result result) {
        this.result = result;
    }

    public static SyncResultBuilder sync(Result result) {
        return new SyncResultBuilder(result);
    }

    public SyncResultBuilder comparedAll() {
        comparedAll = true;
        return this;
    }

    public SyncResultBuilder ops(int value) {
        ops = value;
        return this;
    }

    public SyncResultBuilder sent(int inTransactions, int inMessages, long inBytes) {
        transactions = inTransactions;
        messages = inMessages;
        bytes = inBytes;
        return this;
    }

    public SyncResultBuilder totals(Totals value) {
        totals = value;
        return this;
    }

    public SyncResultBuilder leftOut(Map<ServiceKey, String> values) {
        leftOut = values;
        return this;
    }

    public SyncResultBuilder kept(Set<ServiceKey> values) {
        kept = values;
        return this;
    }

    public SyncResult result() {
        Work work = new Work(ops, transactions, messages, bytes);
        return new SyncResult(result, comparedAll, work, totals, leftOut, List.of(), kept);
    }
}
