package io.dualstackd.pages.metrics;

import java.util.Arrays;
import java.util.stream.LongStream;

/** The upper bounds of a histogram's buckets; the reader adds the one without bound. */
public enum Buckets {
    /** kube-proxy's for syncs: a millisecond, doubled fourteen times. */
    SYNC,
    /** kube-proxy's for the latency of a change through the cluster: from a quarter of a second to five minutes, and one for zero. */
    PROGRAMMING,
    /** client-go's for a request to the API server: from 5 ms to a minute. */
    REQUEST,
    /** Those of dualstackd, for durations of a fraction of a millisecond: 50 µs, doubled seventeen times, which is 6.6 s. */
    SHORT;

    private static final long SECOND = 1_000_000_000L;

    /** In nanoseconds, ascending. */
    long[] bounds() {
        return switch (this) {
            case SYNC -> doubled(1_000_000, 15);
            case PROGRAMMING -> programming();
            case REQUEST -> request();
            case SHORT -> doubled(50_000, 18);
        };
    }

    private static long[] doubled(long first, int count) {
        long[] bounds = new long[count];
        Arrays.setAll(bounds, i -> first << i);
        return bounds;
    }

    private static long[] programming() {
        LongStream parts = LongStream.of(0, SECOND / 4, SECOND / 2);
        LongStream eachSecond = LongStream.range(1, 60).map(s -> s * SECOND);
        LongStream eachFive = LongStream.range(0, 12).map(i -> (60 + 5 * i) * SECOND);
        LongStream eachThirty = LongStream.range(0, 7).map(i -> (120 + 30 * i) * SECOND);
        return LongStream.concat(LongStream.concat(parts, eachSecond), LongStream.concat(eachFive, eachThirty))
                .toArray();
    }

    private static long[] request() {
        return LongStream.of(5, 25, 100, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000)
                .map(milliseconds -> milliseconds * 1_000_000)
                .toArray();
    }

    /** A duration in seconds, the unit of Prometheus. */
    static double seconds(long nanos) {
        // One division of two exact numbers, so that 0.004 is printed as people write it.
        return nanos / (double) SECOND;
    }
}
