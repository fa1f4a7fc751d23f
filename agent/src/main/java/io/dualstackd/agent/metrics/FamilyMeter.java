package io.dualstackd.agent.metrics;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * What is measured of one family, where it happens: written by that family's line alone (but for {@link #queued}), read by whoever
 * asks. Writing allocates nothing worth mentioning and waits for nobody.
 */
public final class FamilyMeter {
    private static final long NOTHING = 0;

    /** More triggers than this are not remembered while passes fail: all of them would only say "much too late". */
    private static final int MOST_TRIGGERS = 4096;

    private final IpFamily family;
    private final Histogram passes = new Histogram(Buckets.PASS);
    private final Histogram fullPasses = new Histogram(Buckets.PASS);
    private final Histogram partialPasses = new Histogram(Buckets.PASS);
    private final Histogram programming = new Histogram(Buckets.PROGRAMMING);
    private final Histogram changes = new Histogram(Buckets.SHORT);
    private final Histogram transactions = new Histogram(Buckets.SHORT);
    private final Histogram sweeps = new Histogram(Buckets.PASS);
    private final RecentLatencies recent = new RecentLatencies();
    /** {@link System#nanoTime} of the oldest change nobody has taken; never 0 when there is one. */
    private final AtomicLong oldestQueued = new AtomicLong(NOTHING);

    private final AtomicLong partialFailures = new AtomicLong();
    /** What happened before is not measured: it waited for us, not we for it. */
    private final Instant startedAt;
    /** Of changes that were taken and are not in force yet; the line's own. */
    private final List<Instant> triggers = new ArrayList<>();

    private long oldestTaken = NOTHING;
    private volatile Instant lastQueued = Instant.EPOCH;
    private volatile Instant lastInForce = Instant.EPOCH;
    private volatile WithoutLocal withoutLocal = WithoutLocal.NONE;
    private volatile ChangeMetadata.Counts taken = ChangeMetadata.Counts.NONE;
    private volatile Supplier<ChangeMetadata.Counts> waiting = () -> ChangeMetadata.Counts.NONE;

    public FamilyMeter(IpFamily family, Instant startedAt) {
        this.family = family;
        this.startedAt = startedAt;
    }

    public IpFamily family() {
        return family;
    }

    /**
     * Something changed; by any thread.
     *
     * @param nanos of the clock that only goes forward
     */
    public void queued(Instant now, long nanos) {
        lastQueued = now;
        oldestQueued.compareAndSet(NOTHING, nanos == NOTHING ? 1 : nanos);
    }

    /** A pass begins with all that was queued so far. */
    public void taken() {
        long oldest = oldestQueued.getAndSet(NOTHING);
        if (oldestTaken == NOTHING) {
            oldestTaken = oldest;
        }
    }

    /** This is the news that came with what was taken. */
    public void arrived(ChangeMetadata changeMetadata) {
        taken = taken.plus(changeMetadata.counts(family));
        for (ChangeMetadata.Trigger trigger : changeMetadata.triggers()) {
            if (trigger.family() == family && trigger.at().isAfter(startedAt) && triggers.size() < MOST_TRIGGERS) {
                triggers.add(trigger.at());
            }
        }
    }

    /** @param counts asked what came and was not taken yet, by any thread */
    public void waiting(Supplier<ChangeMetadata.Counts> counts) {
        waiting = counts;
    }

    /**
     * A pass has ended, well or not.
     *
     * @param took nanoseconds
     * @param full it compared all
     */
    public void passed(long took, boolean full) {
        passes.observe(took);
        (full ? fullPasses : partialPasses).observe(took);
    }

    /** A pass that was about a few changes failed. */
    public void partialFailed() {
        partialFailures.incrementAndGet();
    }

    /**
     * All that was taken is in force.
     *
     * @param nanos of the clock of {@link #queued}
     */
    public void inForce(Instant now, long nanos) {
        lastInForce = now;
        if (oldestTaken != NOTHING) {
            long took = Math.max(0, nanos - oldestTaken);
            changes.observe(took);
            recent.note(took);
            oldestTaken = NOTHING;
        }
        for (Instant trigger : triggers) {
            // A clock that is ahead of ours tells nothing.
            if (!trigger.isAfter(now)) {
                programming.observe(Duration.between(trigger, now).toNanos());
            }
        }
        triggers.clear();
    }

    /** Ports without a local endpoint, as they are in force now. */
    public void withoutLocal(WithoutLocal now) {
        withoutLocal = now;
    }

    /** The kernel worked so long on a transaction, which it took or refused. */
    public void transaction(long took) {
        transactions.observe(took);
    }

    /** Looking for stale flows took so long. */
    public void swept(long took) {
        sweeps.observe(took);
    }

    /** How long the last changes took. */
    public RecentLatencies.Sorted recent() {
        return recent.sorted();
    }

    /** Everything, now. */
    public FamilyFigures figures() {
        return new FamilyFigures(
                family,
                passes.distribution(),
                fullPasses.distribution(),
                partialPasses.distribution(),
                programming.distribution(),
                changes.distribution(),
                transactions.distribution(),
                sweeps.distribution(),
                lastInForce.equals(Instant.EPOCH) ? Optional.empty() : Optional.of(lastInForce),
                lastQueued.equals(Instant.EPOCH) ? Optional.empty() : Optional.of(lastQueued),
                withoutLocal,
                taken,
                waiting.get(),
                partialFailures.get());
    }
}
