package io.dualstackd.bench;

import io.dualstackd.bench.Line.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Collects rows and prints them. */
final class BenchTable {
    private static final String FORMAT = "  %-5s %-22s %9s %9s %9s %9s %11s %9s %9s %9s%n";

    private final List<String> rows = new ArrayList<>();

    void add(String family, String what, List<Measured> runs) {
        add(family, what, runs, List.of());
    }

    /** @param restored nanoseconds of iptables-restore for the same; empty when it was not run */
    void add(String family, String what, List<Measured> runs, List<Long> restored) {
        boolean raw = runs.stream().anyMatch(run -> run.rawNanos() > 0);
        String row = row(
                family,
                what,
                millis(percentile(runs, Measured::nanos, 50)),
                runs.size() == 1 ? "-" : millis(percentile(runs, Measured::nanos, 99)),
                millis(percentile(runs, Measured::cpuNanos, 50)),
                raw ? millis(percentile(runs, Measured::rawNanos, 50)) : "-",
                restored.isEmpty() ? "-" : millis(percentile(restored, nanos -> nanos, 50)),
                grouped(percentile(runs, Measured::messages, 50)),
                kilobytes(percentile(runs, Measured::bytes, 50)),
                kilobytes(percentile(runs, Measured::allocated, 50)));
        rows.add(row);
        System.err.print(row);
    }

    String print() {
        return row("", "", "p50 ms", "p99 ms", "cpu ms", "raw ms", "restore ms", "messages", "sent kB", "heap kB")
                + String.join("", rows);
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, FORMAT, cells);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
    }

    private static String kilobytes(long bytes) {
        return bytes == 0 || bytes >= 100_000 ? grouped(bytes / 1000) : String.format(Locale.ROOT, "%.1f", bytes / 1e3);
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static <T> long percentile(List<T> runs, ToLongFunction<T> of, int percent) {
        long[] sorted = runs.stream().mapToLong(of).sorted().toArray();
        return sorted[Math.min(sorted.length - 1, (sorted.length * percent + 99) / 100 - 1)];
    }
}
