package io.dualstackd.bench.scale;

import static io.dualstackd.bench.measure.Percentiles.grouped;
import static io.dualstackd.bench.measure.Percentiles.kilobytes;
import static io.dualstackd.bench.measure.Percentiles.millis;
import static io.dualstackd.bench.measure.Percentiles.percentile;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Formats rows of figures as text. */
final class FigureTable {
    private static final String FORMAT = "  %-5s %-22s %5s %9s %9s %9s %9s %9s %9s %9s %9s%n";

    private FigureTable() {}

    /** @param rival name of the usual program */
    static String head(String rival) {
        return line("", "", "times", "p50 ms", "p99 ms", "cpu ms", "raw ms", rival, "messages", "sent kB", "heap kB");
    }

    static String row(String families, String what, List<SyncMeasurement> runs) {
        return line(
                families,
                what,
                grouped(runs.size()),
                millis(percentile(runs, SyncMeasurement::nanos, 50)),
                runs.size() == 1 ? "-" : millis(percentile(runs, SyncMeasurement::nanos, 99)),
                millis(percentile(runs, SyncMeasurement::cpuNanos, 50)),
                median(runs, SyncMeasurement::raw),
                median(runs, SyncMeasurement::rival),
                grouped(percentile(runs, SyncMeasurement::messages, 50)),
                kilobytes(percentile(runs, SyncMeasurement::bytes, 50)),
                kilobytes(percentile(runs, SyncMeasurement::allocated, 50)));
    }

    private static String median(List<SyncMeasurement> runs, Function<SyncMeasurement, Optional<Span>> which) {
        List<Span> spans = runs.stream().map(which).flatMap(Optional::stream).toList();
        return spans.isEmpty() ? "-" : millis(percentile(spans, Span::nanos, 50));
    }

    private static String line(Object... cells) {
        return String.format(FORMAT, cells);
    }
}
