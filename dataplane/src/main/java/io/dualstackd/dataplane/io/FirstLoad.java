package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.AppliedFragment;
import io.dualstackd.dataplane.diff.AppliedState;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Layout;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Reconciliation;
import io.dualstackd.dataplane.diff.SyncResult.Work;
import io.dualstackd.dataplane.diff.TransactionDraft;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.netlink.sys.ThreadTask;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The first load of iptables mode, into a kernel without chains of ours. A whole load at once would be the peak memory use of the process,
 * so the chains are sent in several transactions; the last one places the jumps from the built-in chains, and until then no packet reaches
 * any of them. The kernel takes one transaction on a thread of its own while the rules of the next one are made. When a transaction fails
 * no more are sent; the next full comparison finds what was sent. Used once, by one thread.
 */
final class FirstLoad implements AutoCloseable {
    private final Kernel kernel;
    private final Layout layout;
    private final Planner planner;
    private final KernelChains found;
    private final AppliedState state;
    private final BiFunction<AppliedState, CountedBatch, TransactionDraft> drafts;

    private CountedBatch batch;
    private TransactionDraft draft;
    private @Nullable Ahead ahead;
    private Outcome outcome = new Outcome.Applied(List.of(), 0, 0);
    private Work work = Work.NONE;
    private long rules;

    /**
     * @param found what was read last from the kernel
     * @param state the applied state, made of what was found; it becomes that of the load
     */
    FirstLoad(
            Kernel kernel,
            Layout layout,
            Planner planner,
            KernelChains found,
            AppliedState state,
            BiFunction<AppliedState, CountedBatch, TransactionDraft> drafts) {
        this.kernel = kernel;
        this.layout = layout;
        this.planner = planner;
        this.found = found;
        this.state = state;
        this.drafts = drafts;
        batch = new CountedBatch(kernel.begin());
        draft = drafts.apply(state, batch);
        Reconciliation.ensureChains(found, layout, planner, draft);
        draft.change(Origin.NODE, AppliedFragment.NOTHING, withoutJumps());
    }

    private FragmentImage withoutJumps() {
        FragmentImage frame = layout.frame(planner);
        return new FragmentImage(
                frame.chains(),
                frame.placed().stream()
                        .filter(placed -> layout.shared(planner).contains(placed.chain()))
                        .toList());
    }

    /** A transaction that is sent while the rules of the next one are made. */
    private record Ahead(CountedBatch batch, TransactionDraft draft, ThreadTask<Outcome> sending) {}

    /** Adds what a Service wants; nothing of it is kept but what is not sent yet. */
    void service(ServicePlan service) {
        if (isFailed()) {
            return;
        }
        draft.change(new Origin.OfService(service.key()), AppliedFragment.NOTHING, layout.service(service, planner));
        if (batch.size() >= kernel.portion()) {
            sendAhead();
        }
    }

    private void sendAhead() {
        awaitAhead();
        if (!isFailed()) {
            draft.finish();
            CountedBatch full = batch;
            TransactionDraft its = draft;
            ahead = new Ahead(
                    full,
                    its,
                    ThreadTask.start(Thread.currentThread().getName() + "-send", () -> full.commit(its.placements())));
            begin();
        }
    }

    private void awaitAhead() {
        Ahead sent = ahead;
        if (sent != null) {
            ahead = null;
            try (CountedBatch itsBatch = sent.batch()) {
                taken(itsBatch, sent.draft(), sent.sending().await());
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("nothing else is thrown in there", e);
            }
        }
    }

    /** Sends the rest, and then the jumps; what is no more than a portion is one transaction with them. */
    Outcome finish() {
        boolean whole = ahead == null && work.transactions() == 0;
        if (!whole) {
            send();
        }
        if (!isFailed()) {
            Reconciliation.offerPlaced(found, layout, planner, draft);
            if (whole) {
                draft.complete(Origin.NODE, layout.frame(planner));
            } else {
                draft.change(Origin.NODE, state.frame(), layout.frame(planner));
            }
            send();
        }
        return outcome;
    }

    private boolean isFailed() {
        return !(outcome instanceof Outcome.Applied);
    }

    private void send() {
        sendAhead();
        awaitAhead();
    }

    private void begin() {
        batch = new CountedBatch(kernel.begin());
        draft = drafts.apply(state, batch);
    }

    /** Takes the kernel's answer to a transaction. */
    private void taken(CountedBatch sent, TransactionDraft its, Outcome answer) {
        outcome = answer;
        int steps = sent.size();
        if (answer instanceof Outcome.Applied(List<Long> placed, int messages, long bytes)) {
            state.apply(its.after(placed));
            work = work.plus(new Work(steps, steps > 0 ? 1 : 0, messages, bytes));
            rules += sent.rules();
        } else {
            work = work.plus(new Work(steps, 0, 0, 0));
        }
    }

    /** The steps of all transactions, and what the kernel accepted of them. */
    Work work() {
        return work;
    }

    /** The rules written, as in {@link io.dualstackd.dataplane.diff.RulesByTable}. */
    long rules() {
        return rules;
    }

    @Override
    public void close() {
        // Its memory and the connection are in use until it is answered.
        try {
            awaitAhead();
        } finally {
            batch.close();
        }
    }
}
