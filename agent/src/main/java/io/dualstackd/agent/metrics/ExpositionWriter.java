package io.dualstackd.agent.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Writes one page of figures. A metric without values is left out. */
final class ExpositionWriter {
    private final List<MetricSnapshot> metrics = new ArrayList<>();

    /** A value with its labels. */
    record Point(Labels labels, double value) {
        static Point of(long value, String... labels) {
            return new Point(Labels.of(labels), (double) value);
        }
    }

    void gauge(String name, String help, double value) {
        gauge(name, help, List.of(new Point(Labels.EMPTY, value)));
    }

    void gauge(String name, String help, long value) {
        gauge(name, help, (double) value);
    }

    void gauge(String name, String help, List<Point> points) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
        points.forEach(point -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(point.labels)
                .value(point.value)
                .build()));
        add(points, gauge.build());
    }

    <T> void gauge(String name, String help, Collection<T> of, Function<T, Labels> labels, ToDoubleFunction<T> value) {
        gauge(name, help, points(of, labels, value));
    }

    /** @param name without {@code _total} */
    void counter(String name, String help, double value) {
        counter(name, help, List.of(new Point(Labels.EMPTY, value)));
    }

    /** @param name without {@code _total} */
    void counter(String name, String help, long value) {
        counter(name, help, (double) value);
    }

    /** @param name without {@code _total} */
    void counter(String name, String help, List<Point> points) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
        points.forEach(point -> counter.dataPoint(CounterDataPointSnapshot.builder()
                .labels(point.labels)
                .value(point.value)
                .build()));
        add(points, counter.build());
    }

    /** @param name without {@code _total} */
    <T> void counter(
            String name, String help, Collection<T> of, Function<T, Labels> labels, ToDoubleFunction<T> value) {
        counter(name, help, points(of, labels, value));
    }

    <T> void histogram(
            String name, String help, Collection<T> of, Function<T, Labels> labels, Function<T, Distribution> value) {
        HistogramSnapshot.Builder histogram =
                HistogramSnapshot.builder().name(name).help(help);
        of.forEach(each -> {
            Distribution distribution = value.apply(each);
            histogram.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(labels.apply(each))
                    .classicHistogramBuckets(distribution.classic())
                    .sum(distribution.seconds())
                    .build());
        });
        add(of, histogram.build());
    }

    private static <T> List<Point> points(Collection<T> of, Function<T, Labels> labels, ToDoubleFunction<T> value) {
        return of.stream()
                .map(each -> new Point(labels.apply(each), value.applyAsDouble(each)))
                .toList();
    }

    private void add(Collection<?> points, MetricSnapshot metric) {
        if (!points.isEmpty()) {
            metrics.add(metric);
        }
    }

    void addAll(List<MetricSnapshot> others) {
        metrics.addAll(others);
    }

    MetricSnapshots snapshots() {
        return new MetricSnapshots(metrics);
    }
}
