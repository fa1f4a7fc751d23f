package io.dualstackd.bench.measure;

import java.util.List;
import java.util.function.ToLongFunction;

/** Computes percentiles, and formats numbers as text. */
public final class Percentiles {
    private Percentiles() {}

    /** Returns the smallest value that {@code percent} of all values do not exceed. */
    public static <T> long percentile(List<T> runs, ToLongFunction<T> of, int percent) {
        long[] sorted = runs.stream().mapToLong(of).sorted().toArray();
        return sorted[Math.max(0, (sorted.length * percent + 99) / 100 - 1)];
    }

    /** {@code p50 0.04 ms, p99 1.37 ms} of durations in nanoseconds. */
    public static String summary(List<Long> nanos) {
        return "p50 " + millis(percentile(nanos, n -> n, 50)) + " ms, p99 " + millis(percentile(nanos, n -> n, 99))
                + " ms";
    }

    /** {@code 0.04}, {@code 1.37}, {@code 12.5}, {@code 2,516}: milliseconds with about three digits. */
    public static String millis(long nanos) {
        double millis = nanos / 1e6;
        String format = millis < 10 ? "%.2f" : millis < 1000 ? "%.1f" : "%,.0f";
        return String.format(format, millis);
    }

    /** {@code 15.8} or {@code 1,234}. */
    public static String kilobytes(long bytes) {
        return bytes == 0 || bytes >= 100_000 ? grouped(bytes / 1000) : String.format("%.1f", bytes / 1e3);
    }

    /** {@code 86,094}. */
    public static String grouped(long number) {
        return String.format("%,d", number);
    }
}
