package io.dualstackd.pages.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Where metrics with the same labels are read: objects that have one sample each.
 *
 * @param <I> what a page is made from
 * @param <T> the type of the objects
 * @param modes as in {@link Metric#modes}
 * @param labels their names
 * @param objects none when the metrics do not exist now
 * @param values the values of the labels of an object; a label without a value is left out
 */
record MetricSource<I, T>(
        String modes, List<String> labels, Function<I, Stream<T>> objects, Function<T, List<String>> values) {
    private static final String ALL = "all";
    private static final String TOTAL = "_total";

    /** Metrics without labels. */
    static <I, T> MetricSource<I, T> one(Function<I, T> object) {
        return maybe(object.andThen(Optional::of));
    }

    /** Metrics without labels that do not always exist. */
    static <I, T> MetricSource<I, T> maybe(Function<I, Optional<T>> object) {
        return new MetricSource<>(ALL, List.of(), object.andThen(Optional::stream), each -> List.of());
    }

    /** Metrics with one label. */
    static <I, T> MetricSource<I, T> by(String label, Function<I, Stream<T>> objects, Function<T, Object> value) {
        return new MetricSource<>(
                ALL, List.of(label), objects, each -> List.of(value.apply(each).toString()));
    }

    /** Metrics whose samples come with the values of their labels. */
    static <I, V> MetricSource<I, Labelled<V>> labelled(List<String> labels, Function<I, Stream<Labelled<V>>> samples) {
        return new MetricSource<>(ALL, labels, samples, Labelled::labels);
    }

    /** @param labels their values */
    record Labelled<V>(V value, List<String> labels) {
        Labelled {
            labels = List.copyOf(labels);
        }

        Labelled(V value, String... labels) {
            this(value, List.of(labels));
        }
    }

    /** The same objects, only under a condition. */
    MetricSource<I, T> only(String modes, Predicate<I> condition) {
        return new MetricSource<>(
                modes, labels, input -> condition.test(input) ? objects.apply(input) : Stream.empty(), values);
    }

    Metric<I> gauge(String name, String help, ToDoubleFunction<T> value) {
        MetricMetadata metadata = new MetricMetadata(name, help);
        return new Metric<>(
                name,
                Metric.Type.GAUGE,
                help,
                modes,
                labels,
                input -> new GaugeSnapshot(
                        metadata,
                        points(
                                input,
                                (each, labels) -> GaugeDataPointSnapshot.builder()
                                        .labels(labels)
                                        .value(value.applyAsDouble(each))
                                        .build())));
    }

    /** @param name ends in {@code _total} */
    Metric<I> counter(String name, String help, ToDoubleFunction<T> value) {
        MetricMetadata metadata = new MetricMetadata(name.substring(0, name.length() - TOTAL.length()), help);
        return new Metric<>(
                name,
                Metric.Type.COUNTER,
                help,
                modes,
                labels,
                input -> new CounterSnapshot(
                        metadata,
                        points(
                                input,
                                (each, labels) -> CounterDataPointSnapshot.builder()
                                        .labels(labels)
                                        .value(value.applyAsDouble(each))
                                        .build())));
    }

    Metric<I> histogram(String name, String help, Function<T, Histogram> value) {
        MetricMetadata metadata = new MetricMetadata(name, help);
        return new Metric<>(
                name,
                Metric.Type.HISTOGRAM,
                help,
                modes,
                labels,
                input -> new HistogramSnapshot(
                        metadata,
                        points(input, (each, labels) -> value.apply(each).sample(labels))));
    }

    private <P> List<P> points(I input, BiFunction<T, Labels, P> point) {
        List<P> points = new ArrayList<>();
        objects.apply(input).forEach(each -> points.add(point.apply(each, labels(values.apply(each)))));
        return points;
    }

    private Labels labels(List<String> of) {
        if (!of.contains("")) {
            return Labels.of(labels, of);
        }
        Labels.Builder builder = Labels.builder();
        for (int i = 0; i < of.size(); i++) {
            if (!of.get(i).isEmpty()) {
                builder.label(labels.get(i), of.get(i));
            }
        }
        return builder.build();
    }
}
