package io.dualstackd.bench;

import io.dualstackd.bench.Line.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Collects rows and prints them. */
final class BenchTable {
    private static final String FORMAT = "%8s  %-6s  %-26s %9s %9s %9s %9s %9s %10s %11s%n";

    private final List<String> rows = new ArrayList<>();

    boolean isEmpty() {
        return rows.isEmpty();
    }

    void add(int services, String family, String what, List<Measured> runs) {
        boolean raw = runs.stream().anyMatch(run -> run.rawNanos() > 0);
        String row = String.format(
                Locale.ROOT,
                FORMAT,
                services,
                family,
                what,
                millis(percentile(runs, Measured::nanos, 50)),
                millis(percentile(runs, Measured::nanos, 99)),
                millis(percentile(runs, Measured::cpuNanos, 50)),
                raw ? millis(percentile(runs, Measured::rawNanos, 50)) : "-",
                percentile(runs, Measured::messages, 50),
                percentile(runs, Measured::bytes, 50),
                percentile(runs, Measured::allocated, 50));
        rows.add(row);
        System.err.print(row);
    }

    String print() {
        return String.format(
                        Locale.ROOT,
                        FORMAT,
                        "services",
                        "family",
                        "what",
                        "p50 ms",
                        "p99 ms",
                        "cpu ms",
                        "raw ms",
                        "messages",
                        "bytes",
                        "allocated")
                + String.join("", rows);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / 1e6);
    }

    private static long percentile(List<Measured> runs, ToLongFunction<Measured> of, int percent) {
        long[] sorted = runs.stream().mapToLong(of).sorted().toArray();
        return sorted[Math.min(sorted.length - 1, (sorted.length * percent + 99) / 100 - 1)];
    }
}
