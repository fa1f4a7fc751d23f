package io.dualstackd.pages.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * A histogram of durations. One thread observes, which allocates nothing and never waits; any thread may read, and then sees each
 * observation completely or not at all, though perhaps not yet in the sum.
 */
public final class Histogram {
    private final long[] bounds;
    /** The same in seconds, and infinity. */
    private final double[] upperBounds;
    /** The counts of the buckets; the last one has no bound. */
    private final AtomicLongArray counts;

    private final AtomicLong nanos = new AtomicLong();

    public Histogram(Buckets buckets) {
        this.bounds = buckets.bounds();
        this.upperBounds = DoubleStream.concat(
                        LongStream.of(bounds).mapToDouble(Buckets::seconds), DoubleStream.of(Double.POSITIVE_INFINITY))
                .toArray();
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

    long count() {
        return LongStream.of(counts()).sum();
    }

    private long[] counts() {
        long[] now = new long[counts.length()];
        Arrays.setAll(now, counts::get);
        return now;
    }

    /** All observations so far. */
    HistogramDataPointSnapshot sample(Labels labels) {
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(upperBounds, counts()))
                .sum(Buckets.seconds(nanos.get()))
                .build();
    }
}
