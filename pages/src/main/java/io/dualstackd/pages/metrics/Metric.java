package io.dualstackd.pages.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.function.Function;

/**
 * A metric: its declaration, and how its samples are read. Made by a {@link MetricSource}.
 *
 * @param <I> what a page is made from
 * @param name as in the text format, so a counter's ends in {@code _total}
 * @param help the meaning, for people
 * @param modes {@code all}, or the proxy mode that has the metric; the page when it is not {@code /metrics}
 * @param labels in alphabetical order, without {@code le}
 * @param samples all current samples
 */
record Metric<I>(
        String name, Type type, String help, String modes, List<String> labels, Function<I, MetricSnapshot> samples) {
    Metric {
        labels = List.copyOf(labels);
    }

    /** The type as in the text format. */
    enum Type {
        GAUGE,
        COUNTER,
        HISTOGRAM
    }
}
