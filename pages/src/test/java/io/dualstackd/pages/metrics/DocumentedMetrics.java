package io.dualstackd.pages.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The metrics of all pages, as {@code docs/metrics.md} shows them. */
final class DocumentedMetrics {
    private static final Map<String, String> ORIGINS = Map.of(
            "dualstackd_", "ours",
            "kubeproxy_", "kube-proxy",
            "kube_apiserver_", "API server",
            "kubernetes_", "Kubernetes",
            "rest_client_", "client-go");

    private DocumentedMetrics() {}

    static List<Metric<?>> all() {
        return Stream.<List<? extends Metric<?>>>of(Metrics.TABLE, SliMetrics.TABLE, ServiceMetrics.TABLE)
                .<Metric<?>>flatMap(List::stream)
                .toList();
    }

    /** The names of samples: what queries may ask for. */
    static Stream<String> samples(Metric<?> metric) {
        return metric.type() == Metric.Type.HISTOGRAM
                ? Stream.of("_bucket", "_count", "_sum").map(suffix -> metric.name() + suffix)
                : Stream.of(metric.name());
    }

    /** A row of the page about metrics. */
    static String row(Metric<?> metric) {
        String labels = metric.labels().isEmpty() ? "–" : String.join(", ", metric.labels());
        return Stream.of(
                        "`" + metric.name() + "`",
                        metric.type().name().toLowerCase(Locale.ROOT),
                        labels,
                        metric.modes(),
                        origin(metric.name()),
                        metric.help())
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    /** The project that defined the name. */
    private static String origin(String name) {
        return ORIGINS.entrySet().stream()
                .filter(origin -> name.startsWith(origin.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("Prometheus");
    }
}
