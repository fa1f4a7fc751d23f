package io.dualstackd.agent.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.Arrays;
import java.util.stream.LongStream;

/** A snapshot of a {@link Histogram}. */
public final class Distribution {
    private final Buckets buckets;
    private final long[] counts;
    private final long nanos;

    /** @param counts owned by the distribution from now on */
    Distribution(Buckets buckets, long[] counts, long nanos) {
        this.buckets = buckets;
        this.counts = counts;
        this.nanos = nanos;
    }

    /** A distribution without observations. */
    public static Distribution empty(Buckets buckets) {
        return new Histogram(buckets).distribution();
    }

    public long count() {
        return LongStream.of(counts).sum();
    }

    /** The sum of all durations. */
    public double seconds() {
        return Buckets.seconds(nanos);
    }

    ClassicHistogramBuckets classic() {
        double[] bounds = Arrays.copyOf(
                Arrays.stream(buckets.bounds()).mapToDouble(Buckets::seconds).toArray(), counts.length);
        bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
        return ClassicHistogramBuckets.of(bounds, counts.clone());
    }
}
