package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heap close to the size of its live objects. The serial collector does not collect the old generation until the heap reaches its
 * limit, so the memory of the process would grow up to any limit with the garbage of past work; a low limit, on the other hand, risks an
 * out-of-memory error. So there is a generous limit ({@code -Xmx}, see {@code bin/dualstackd}), and the heap is collected whenever it has
 * grown by a quarter of what was live after the last collection; a large heap may grow by half while everything is compared, and to more than its double while it is read for the first time.
 *
 * <p>A change is in force within a millisecond, and a collection of the young generation takes as long. So these collections are done while
 * no change is waiting: a moment after a sync, when part of the young generation is used, the thread {@code heap} fills up the rest.
 *
 * <p>Thread-safe. Callers use {@link #tidy} after a piece of work, {@link #settle} after a large one.
 */
public final class HeapKeeper implements ManifestFolder.Progress, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    /** The least garbage in bytes that is worth the pause of a collection. */
    private static final long LEAST = 4 << 20;

    /** Used bytes below which the heap is not collected: an idle node has 7 MB of live objects, and a young generation of 4 MB. */
    private static final long SMALL = 12 << 20;

    /** The share of the limit above which the live bytes are worth a warning: further growth may end in a failure. */
    private static final double NEAR = 0.8;

    /** Bytes used since the last collection of the young generation that are worth another one; less than half of the young generation. */
    private static final long MIN_ALLOCATED = 3 << 19;

    private static final int SPILL = 32 << 10;
    /** The most allocations in a row; a young generation larger than their sum is not filled up. */
    private static final int SPILLS = (16 << 20) / SPILL;

    /** The time after a sync from which on no other one is expected to follow at once. */
    private static final Duration QUIET = Duration.ofMillis(20);

    /** The time without a sync after which the start counts as over. */
    private static final Duration CALM = Duration.ofSeconds(30);

    /** Live bytes from which on the heap may grow more while much is read or compared: a collection takes long and frees little. */
    private static final long LARGE = 32 << 20;

    /** The number of Services read after which memory use is checked. */
    private static final int PORTION = 256;

    private final Platform platform;
    private final Platform.Permits syncs;
    private final Runnable spill;
    private final LongSupplier used;
    private final Runnable collect;
    private final Runnable release;
    private final long limit;
    private long live;
    private long next = SMALL;
    /** The number of comparisons of everything that are under way. */
    private int comparisons;
    /** Whether one has ended, and was not followed by a collection. */
    private boolean unsettled;
    /** Whether everything was compared once. */
    private boolean isCompared;
    /** Whether nothing changed for a while after that. */
    private boolean isCalm;

    private boolean warned;
    private @Nullable Worker worker;
    private long leastUsed = Long.MAX_VALUE;
    /** Keeps the compiler from removing the allocation. */
    private static volatile byte[] spilt = {};

    /**
     * Creates the keeper of this process's heap.
     *
     * @param release gives back what only the start needed, the heap apart; runs after everything has been compared for the first time,
     *     and once more when nothing has changed for a while
     */
    public HeapKeeper(Runnable release) {
        this(
                Platform.system(),
                () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
                System::gc,
                () -> spilt = new byte[SPILL],
                Runtime.getRuntime().maxMemory(),
                release);
    }

    /** A keeper that never has anything to do, because the heap is not its own. */
    public static HeapKeeper idle(Platform platform) {
        return new HeapKeeper(platform, () -> 0, () -> {}, () -> {}, Long.MAX_VALUE, () -> {});
    }

    /**
     * @param used bytes on the heap now, garbage included
     * @param collect removes all garbage
     * @param spill uses up some of the young generation
     * @param limit bytes the heap can have
     * @param release as in the other constructor
     */
    HeapKeeper(LongSupplier used, Runnable collect, Runnable spill, long limit, Runnable release) {
        this(Platform.system(), used, collect, spill, limit, release);
    }

    private HeapKeeper(
            Platform platform, LongSupplier used, Runnable collect, Runnable spill, long limit, Runnable release) {
        this.platform = platform;
        this.syncs = platform.permits();
        this.spill = spill;
        this.used = used;
        this.collect = collect;
        this.release = release;
        this.limit = limit;
    }

    /** Triggers a collection when enough garbage has accumulated; otherwise it is nearly free. */
    synchronized void tidy() {
        if (used.getAsLong() >= next) {
            collect();
        }
    }

    /**
     * As {@link #tidy}, while objects that arrive one by one are read for the first time: nearly all of it is kept, so collections in between
     * would find little.
     */
    synchronized void reading() {
        tidyWhileGrowing(2 * LEAST, live + 2 * LEAST);
    }

    private synchronized void comparing() {
        tidyWhileGrowing(0, live / 4);
    }

    /**
     * @param more bytes of garbage that are allowed in addition
     * @param large bytes that are allowed beyond that in a large heap
     */
    private void tidyWhileGrowing(long more, long large) {
        if (used.getAsLong() >= next + more + (live >= LARGE ? large : 0)) {
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

    /** Follows one reconciler. */
    SyncObserver observer() {
        return new SyncObserver() {
            private int read;
            private boolean all;

            @Override
            public void onAllServices() {
                read = 0;
                if (!all) {
                    all = true;
                    comparisonBegins();
                }
            }

            @Override
            public void onService(ServiceKey key, Optional<ServicePlan> plan) {
                // A first load makes more garbage than live data.
                if (++read % PORTION == 0) {
                    comparing();
                }
            }

            @Override
            public void onStatus(FamilyStatus status) {
                if (all) {
                    all = false;
                    comparisonEnds(status);
                }
                syncs.release();
            }
        };
    }

    private synchronized void comparisonBegins() {
        comparisons++;
    }

    /** The last comparison that ends is followed by a collection, which would stop the others. */
    private synchronized void comparisonEnds(FamilyStatus status) {
        comparisons--;
        unsettled |= status.state() == FamilyStatus.State.IN_FORCE;
        if (unsettled && comparisons == 0) {
            unsettled = false;
            settle();
            if (!isCompared) {
                isCompared = true;
                release.run();
            }
        }
    }

    /** Starts the thread {@code heap}. */
    synchronized void start(Supervisor supervisor) {
        worker = supervisor.worker(Component.HEAP, this::followSyncs).start();
    }

    private void followSyncs(Heartbeat heartbeat) throws InterruptedException {
        while (true) {
            if (!BoundedWait.inParts(platform, heartbeat, untilCalm(), syncs::tryAcquire)) {
                calm();
                continue;
            }
            while (syncs.tryAcquire(QUIET)) {
                syncs.drain();
                heartbeat.beat();
            }
            afterSync();
        }
    }

    private synchronized Duration untilCalm() {
        return isCompared && !isCalm ? CALM : BoundedWait.FOREVER;
    }

    /** Nothing has changed for a while. */
    synchronized void calm() {
        if (isCompared && !isCalm) {
            isCalm = true;
            release.run();
        }
    }

    /** Collects what is due; the end of a comparison that is still under way is followed by a collection anyway. */
    synchronized void afterSync() {
        if (comparisons == 0) {
            tidy();
            makeRoom();
        }
    }

    /** Triggers a collection of the young generation unless most of it is free. */
    public synchronized void makeRoom() {
        long now = used.getAsLong();
        leastUsed = Math.min(leastUsed, now);
        for (int i = 0; i < SPILLS && now - leastUsed >= MIN_ALLOCATED; i++) {
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

    /** Collects unless the heap is small; to be called after work proportional to the cluster's size, which leaves as much garbage. */
    synchronized void settle() {
        if (used.getAsLong() >= SMALL) {
            collect();
        }
    }

    private void collect() {
        collect.run();
        live = used.getAsLong();
        next = Math.max(SMALL, live + Math.max(LEAST, live / 4));
        boolean near = live > limit * NEAR;
        if (near && !warned) {
            LOG.warn(
                    "memory is nearly full liveMB={} limitMB={} next=\"raise -Xmx in DUALSTACKD_JAVA_OPTS, in a container in _JAVA_OPTIONS\"",
                    live >> 20,
                    limit >> 20);
        }
        warned = near;
    }
}
