package io.dualstackd.agent.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of durations. One thread observes, which allocates nothing and never waits; any thread may read, and then sees each
 * observation completely or not at all, though perhaps not yet in the sum.
 */
public final class Histogram {
    private final Buckets buckets;
    private final long[] bounds;
    /** The counts of the buckets; the last one has no bound. */
    private final AtomicLongArray counts;

    private final AtomicLong nanos = new AtomicLong();

    public Histogram(Buckets buckets) {
        this.buckets = buckets;
        this.bounds = buckets.bounds();
        this.counts = new AtomicLongArray(bounds.length + 1);
    }

    /** @param took in nanoseconds, 0 or more */
    public void observe(long took) {
        int bucket = 0;
        while (bucket < bounds.length && took > bounds[bucket]) {
            bucket++;
        }
        counts.lazySet(bucket, counts.get(bucket) + 1);
        nanos.lazySet(nanos.get() + took);
    }

    /** A snapshot of all observations so far. */
    public Distribution distribution() {
        long[] now = new long[counts.length()];
        for (int i = 0; i < now.length; i++) {
            now[i] = counts.get(i);
        }
        return new Distribution(buckets, now, nanos.get());
    }
}
