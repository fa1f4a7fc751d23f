package io.dualstackd.pages.metrics;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The measurements of one family: written by that family's reconciler alone (except {@link #queued}), read by any thread. Writing allocates
 * next to nothing and never waits.
 */
public final class FamilyMeter {
    private static final long NOTHING = 0;

    /** The most triggers remembered while syncs fail: further ones would only count as "much too late". */
    private static final int MOST_TRIGGERS = 4096;

    private final IpFamily family;
    /** All syncs, as kube-proxy counts them. */
    final Histogram syncs = new Histogram(Buckets.SYNC);
    /** Syncs that compared all. */
    final Histogram fullSyncs = new Histogram(Buckets.SYNC);
    /** Syncs of a few changes. */
    final Histogram partialSyncs = new Histogram(Buckets.SYNC);
    /** From the trigger somewhere in the cluster until in force. */
    final Histogram programming = new Histogram(Buckets.PROGRAMMING);
    /** From the arrival of a change until in force. */
    final Histogram changes = new Histogram(Buckets.SHORT);
    /** In the kernel. */
    final Histogram transactions = new Histogram(Buckets.SHORT);
    /** Searches for stale flows. */
    final Histogram sweeps = new Histogram(Buckets.SYNC);

    private final RecentLatencies recent = new RecentLatencies();
    private final LatencyHour hour = new LatencyHour();
    /** The {@link System#nanoTime} of the oldest change that no sync has taken; never 0 when there is one. */
    private final AtomicLong oldestQueued = new AtomicLong(NOTHING);

    private final AtomicLong partialFailures = new AtomicLong();
    /** Changes from before are not measured: their latency includes the time in which the daemon did not run. */
    private final Instant startedAt;
    /** Of changes that were taken and are not in force yet; used by the reconciler alone. */
    private final List<Instant> triggers = new ArrayList<>();

    private long oldestTaken = NOTHING;
    /** The last arrival of a change; the epoch before the first one. */
    volatile Instant lastQueued = Instant.EPOCH;
    /** The last successful sync; the epoch before the first one. */
    volatile Instant lastInForce = Instant.EPOCH;

    private volatile WithoutLocal withoutLocal = WithoutLocal.NONE;
    private volatile ChangeMetadata.Counts taken = ChangeMetadata.Counts.NONE;
    private final Supplier<ChangeMetadata.Counts> waiting;
    /** The most that was read of {@link #received}: what is taken is for a moment neither waiting nor counted. */
    private final AtomicReference<ChangeMetadata.Counts> received = new AtomicReference<>(ChangeMetadata.Counts.NONE);

    /** @param waiting returns what arrived and was not taken yet; called by any thread */
    public FamilyMeter(IpFamily family, Instant startedAt, Supplier<ChangeMetadata.Counts> waiting) {
        this.family = family;
        this.waiting = waiting;
        this.startedAt = startedAt;
    }

    public IpFamily family() {
        return family;
    }

    /**
     * Records a change; may be called from any thread.
     *
     * @param nanos of a monotonic clock
     */
    public void queued(Instant now, long nanos) {
        lastQueued = now;
        oldestQueued.compareAndSet(NOTHING, nanos == NOTHING ? 1 : nanos);
    }

    /** A sync begins with all that was queued so far. */
    public void taken() {
        long oldest = oldestQueued.getAndSet(NOTHING);
        if (oldestTaken == NOTHING) {
            oldestTaken = oldest;
        }
    }

    /** Records the metadata of the changes that were taken. */
    public void arrived(ChangeMetadata changeMetadata) {
        taken = taken.plus(changeMetadata.counts(family));
        for (ChangeMetadata.Trigger trigger : changeMetadata.triggers()) {
            if (trigger.family() == family && trigger.at().isAfter(startedAt) && triggers.size() < MOST_TRIGGERS) {
                triggers.add(trigger.at());
            }
        }
    }

    /**
     * A sync has ended, successful or not.
     *
     * @param took nanoseconds
     * @param full it compared all
     */
    public void passed(long took, boolean full) {
        syncs.observe(took);
        (full ? fullSyncs : partialSyncs).observe(took);
    }

    /** The kernel refused a sync of a few changes. */
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
            hour.note(now.toEpochMilli(), took);
            oldestTaken = NOTHING;
        }
        for (Instant trigger : triggers) {
            // A trigger from a clock that is ahead of ours gives no latency.
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

    /** Records how long the kernel worked on a transaction, accepted or refused. */
    public void transaction(long took) {
        transactions.observe(took);
    }

    /** Records how long a search for stale flows took. */
    public void swept(long took) {
        sweeps.observe(took);
    }

    /** The latencies of the last changes. */
    public RecentLatencies.Sorted recent() {
        return recent.sorted();
    }

    /** The latencies of the changes of the last hour. */
    public LatencyHour hour() {
        return hour;
    }

    /** Ports without a local endpoint that are in force. */
    public WithoutLocal withoutLocal() {
        return withoutLocal;
    }

    /** Changes that no sync has taken yet. */
    ChangeMetadata.Counts pending() {
        return waiting.get();
    }

    /** All changes since the start; never fewer than at the call before, also while a sync takes those that wait. */
    ChangeMetadata.Counts received() {
        // Taken is read first: nothing is counted twice.
        return received.accumulateAndGet(taken.plus(pending()), ChangeMetadata.Counts::atLeast);
    }

    /** Syncs of a few changes that the kernel refused. */
    public long partialFailures() {
        return partialFailures.get();
    }
}
