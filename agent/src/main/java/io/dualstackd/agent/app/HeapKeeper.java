package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heap close to what lives in it. The serial collector leaves the old generation alone until the heap is at its limit, so
 * the memory of the process would grow with what passed through it, up to any limit; a low limit, on the other hand, is a cliff.
 * So there is a generous limit ({@code -Xmx}, see {@code bin/dualstackd}), and the heap is collected whenever it has grown by as
 * much as a quarter of what lived after the last time.
 *
 * <p>A change is in force within a millisecond, and a collection of the young generation takes as long. So these are held when nobody
 * waits: a moment after a pass, when some of the room is used up, the thread {@code heap} uses up the rest.
 *
 * <p>Thread-safe; everybody calls {@link #tidy} when a piece of work is done, {@link #settle} when it was a large one.
 */
public final class HeapKeeper implements ManifestFolder.Progress, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    /** A collection is not worth its pause for less garbage than this. */
    private static final long LEAST = 8 << 20;

    /** Live bytes beyond this share of the limit are worth a warning: growth may end in a failure. */
    private static final double NEAR = 0.8;

    /** Used up since the last collection before it is worth another one; less than half of the young generation. */
    private static final long ROOM = 3 << 19;

    private static final int SPILL = 32 << 10;
    /** Where the young generation is larger than that, it is not filled up. */
    private static final int SPILLS = (16 << 20) / SPILL;

    /** So long after the last pass nobody is waiting for one. */
    private static final Duration QUIET = Duration.ofMillis(20);

    private final Semaphore passes = new Semaphore(0);
    private final Runnable spill;
    private final LongSupplier used;
    private final Runnable collect;
    private final long limit;
    private long next = 2 * LEAST;
    private boolean warned;
    private @Nullable Worker worker;
    private long leastUsed = Long.MAX_VALUE;
    /** Keeps the compiler from leaving out what it makes. */
    private static volatile byte[] spilt = {};

    /** The keeper of this process's heap. */
    public HeapKeeper() {
        this(
                () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
                System::gc,
                () -> spilt = new byte[SPILL],
                Runtime.getRuntime().maxMemory());
    }

    /**
     * @param used bytes on the heap now, garbage included
     * @param collect removes all garbage
     * @param spill uses up some of the young generation
     * @param limit bytes the heap can have
     */
    HeapKeeper(LongSupplier used, Runnable collect, Runnable spill, long limit) {
        this.spill = spill;
        this.used = used;
        this.collect = collect;
        this.limit = limit;
    }

    /** Collects when it is time. Costs next to nothing when it is not. */
    synchronized void tidy() {
        if (used.getAsLong() >= next) {
            collect();
        }
    }

    @Override
    public void fileRead() {
        tidy();
    }

    @Override
    public void allRead() {
        settle();
    }

    /** A line has finished a pass. */
    void passed(FamilyStatus status) {
        boolean large = status.state() == FamilyStatus.State.IN_FORCE
                && status.lastPass().map(SyncResult::comparedAll).orElse(false);
        if (large) {
            settle();
        }
        passes.release();
    }

    /** Starts the thread {@code heap}. */
    synchronized void start(Supervisor supervisor) {
        worker = supervisor.worker(Component.HEAP, this::followPasses).start();
    }

    private void followPasses(Heartbeat heartbeat) throws InterruptedException {
        while (true) {
            boolean ignored = BoundedWait.inParts(
                    heartbeat, BoundedWait.FOREVER, time -> passes.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS));
            while (passes.tryAcquire(QUIET.toMillis(), TimeUnit.MILLISECONDS)) {
                passes.drainPermits();
                heartbeat.beat();
            }
            tidy();
            makeRoom();
        }
    }

    /** Has the young generation collected unless most of it is free. */
    public synchronized void makeRoom() {
        long now = used.getAsLong();
        leastUsed = Math.min(leastUsed, now);
        for (int i = 0; i < SPILLS && now - leastUsed >= ROOM; i++) {
            spill.run();
            long before = now;
            now = used.getAsLong();
            if (now < before) {
                leastUsed = now;
            }
        }
    }

    @Override
    public synchronized void close() {
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** After work as large as the cluster, which leaves as much garbage: collects unless the heap is small anyway. */
    synchronized void settle() {
        if (used.getAsLong() >= 2 * LEAST) {
            collect();
        }
    }

    private void collect() {
        collect.run();
        long live = used.getAsLong();
        next = live + Math.max(LEAST, live / 4);
        boolean near = live > limit * NEAR;
        if (near && !warned) {
            LOG.warn(
                    "memory is nearly full live={}MB limit={}MB next=\"raise -Xmx in DUALSTACKD_JAVA_OPTS\"",
                    live >> 20,
                    limit >> 20);
        }
        warned = near;
    }
}
