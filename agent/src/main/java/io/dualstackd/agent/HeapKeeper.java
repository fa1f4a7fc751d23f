package io.dualstackd.agent;

import io.dualstackd.agent.line.LineStatus;
import io.dualstackd.agent.source.io.ManifestFolder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heap close to what lives in it. The serial collector leaves the old generation alone until the heap is at its limit, so
 * the memory of the process would grow with what passed through it, up to any limit; a low limit, on the other hand, is a cliff.
 * So there is a generous limit ({@code -Xmx}, see {@code bin/dualstackd}), and the heap is collected whenever it has grown by as
 * much as half of what lived after the last time.
 *
 * <p>Thread-safe; everybody calls {@link #tidy} when a piece of work is done, {@link #settle} when it was a large one.
 */
final class HeapKeeper implements ManifestFolder.Progress {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    /** A collection is not worth its pause for less garbage than this. */
    private static final long LEAST = 12 << 20;

    /** Live bytes beyond this share of the limit are worth a warning: growth may end in a failure. */
    private static final double NEAR = 0.8;

    private final LongSupplier used;
    private final Runnable collect;
    private final long limit;
    private long next = 2 * LEAST;
    private boolean warned;

    /** The keeper of this process's heap. */
    HeapKeeper() {
        this(
                () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
                System::gc,
                Runtime.getRuntime().maxMemory());
    }

    /**
     * @param used bytes on the heap now, garbage included
     * @param collect removes all garbage
     * @param limit bytes the heap can have
     */
    HeapKeeper(LongSupplier used, Runnable collect, long limit) {
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
    void passed(LineStatus status) {
        boolean large = status.state() == LineStatus.State.IN_FORCE
                && status.lastPass()
                        .map(pass -> pass.comparedAll() && pass.ops() > 0)
                        .orElse(false);
        if (large) {
            settle();
        } else {
            tidy();
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
        next = live + Math.max(LEAST, live / 2);
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
