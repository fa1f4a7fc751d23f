package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResult.Work;
import io.dualstackd.dataplane.diff.elements.AppliedTable;
import io.dualstackd.dataplane.diff.elements.Blame;
import io.dualstackd.dataplane.diff.elements.DestinationConflicts;
import io.dualstackd.dataplane.diff.elements.ElementCounters;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableDraft;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.nft.NftBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one sync: normally one. Only additions to a table that did not exist are sent ahead in several, because a
 * whole first load at once would be the peak memory use of the process; until the last transaction creates the chains, no packet
 * reaches the table. When one fails no more are sent; the next sync finds what was sent ahead. Used once, by one thread.
 */
final class TableLoad implements AutoCloseable {
    private final Maker maker;
    private final NftBatch batch;
    private final TableDraft draft;
    private final AppliedTable applied;
    private @Nullable NftOutcome failure;
    private Work sent = Work.NONE;

    private TableLoad(Maker maker, NftBatch batch, TableDraft draft, AppliedTable applied) {
        this.maker = maker;
        this.batch = batch;
        this.draft = draft;
        this.applied = applied;
    }

    /**
     * Makes loads of one table.
     *
     * @param print the one the kernel reads rules with
     * @param portion the bytes that make a transaction of their own ahead of the rest
     * @param counters what elements that are added start to count from
     */
    record Maker(TableForm form, TableKernel kernel, ExpressionPrint print, int portion, ElementCounters counters) {
        /** The load that makes the table what is wanted, whatever it is. */
        TableLoad comparison(TableContent found, DestinationConflicts conflicts) {
            AppliedTable fresh = new AppliedTable();
            NftBatch batch = kernel.beginOnReading();
            TableDraft draft = TableDraft.compareAll(fresh, conflicts, found, form, batch, print::of, counters);
            return new TableLoad(this, batch, draft, fresh);
        }

        /** The load that makes the table what is wanted, from a checkpoint: a {@link TableDraft#resume}. */
        TableLoad resume(AppliedTable checkpoint, TableContent frame) {
            NftBatch batch = kernel.begin();
            return new TableLoad(
                    this, batch, TableDraft.resume(checkpoint, frame, form, batch, print::of, counters), checkpoint);
        }

        /** The load that changes parts of the table. */
        TableLoad change(AppliedTable known) {
            NftBatch batch = kernel.begin();
            return new TableLoad(this, batch, TableDraft.change(known, form, batch, print::of, counters), known);
        }
    }

    TableDraft draft() {
        return draft;
    }

    /** The applied state when the load is accepted. */
    AppliedTable applied() {
        return applied;
    }

    /** Adds the counts of another load, sent before in the same sync. */
    TableLoad after(TableLoad before) {
        sent = sent.plus(before.sent);
        return this;
    }

    /** Whether more may be drafted: none of the transactions sent ahead failed. */
    boolean goesOn() {
        return failure == null;
    }

    /** Sends what is drafted ahead of the rest, if that is allowed and it is large enough. */
    void goAhead() {
        boolean enough = !batch.isEmpty() && batch.bytes() >= maker.portion();
        if (enough && draft.mayGoAhead()) {
            NftOutcome outcome = send(maker.kernel()::commitAhead);
            failure = outcome instanceof NftOutcome.Applied ? null : outcome;
        }
    }

    /** Sends the rest, if there is any. */
    Result commit() {
        return switch (outcome()) {
            case NftOutcome.Applied ignored -> {
                maker.counters().taken();
                yield new Result.InForce();
            }
            case NftOutcome.Refused(var problems) -> new Result.Refused(refusals(problems));
            case NftOutcome.Outdated ignored -> new Result.Outdated();
            case NftOutcome.Unreachable(var reason) -> new Result.Unreachable(NetfilterAdvice.of(reason));
        };
    }

    private NftOutcome outcome() {
        if (failure != null) {
            return failure;
        }
        draft.finish();
        return batch.isEmpty() ? new NftOutcome.Applied(List.of(), Optional.empty()) : send(maker.kernel()::commit);
    }

    private NftOutcome send(Function<NftBatch, NftOutcome> how) {
        int itsMessages = batch.messages();
        int itsBytes = batch.sealedBytes();
        NftOutcome outcome = how.apply(batch);
        if (outcome instanceof NftOutcome.Applied) {
            sent = sent.plus(new Work(0, 1, itsMessages, itsBytes));
        }
        return outcome;
    }

    /** Whether the kernel accepted a transaction. */
    boolean wentAhead() {
        return sent.transactions() > 0;
    }

    /** The drafted steps, and what of the load the kernel accepted: messages without begins and ends. */
    Work work() {
        return sent.plus(new Work(draft.steps(), 0, 0, 0));
    }

    /** Traces what the kernel refused back to Services. */
    private List<Refusal> refusals(List<NftOutcome.Problem> problems) {
        Blame blame = new Blame(maker.form().family(), applied);
        List<Refusal> refused = new ArrayList<>();
        for (NftOutcome.Problem problem : problems) {
            refused.add(new Refusal(
                    problem.index() < 0
                            ? Optional.<Origin>empty()
                            : blame.origin(batch.step(
                                    problem.index(), problem.refusal().offset().orElse(0))),
                    problem.operation() + ": " + NetfilterAdvice.of(problem.refusal())));
        }
        return refused;
    }

    @Override
    public void close() {
        batch.close();
    }
}
