package io.dualstackd.pages.metrics;

import io.dualstackd.admin.top.Traffic;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.pages.metrics.MetricSource.Labelled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Attempts to connect, by port of a Service and kind of address: the page {@code /metrics/services}, for those who want that many series. */
public final class ServiceMetrics {
    private static final String PAGE = "`/metrics/services`";
    private static final List<String> LABELS = List.of("ip_family", "kind", "namespace", "port", "service");

    static final List<Metric<Traffic>> TABLE = List.of(
            source(Attempts::connections)
                    .counter("dualstackd_service_connections_total", "Connections to the Service", Labelled::value),
            source(Attempts::refused)
                    .counter(
                            "dualstackd_service_connections_refused_total",
                            "Attempts to connect rejected because the Service has no endpoint",
                            Labelled::value),
            source(Attempts::dropped)
                    .counter(
                            "dualstackd_service_connections_dropped_total",
                            "Attempts to connect dropped because the policy Local leaves no endpoint on this node, or by source ranges",
                            Labelled::value));

    private ServiceMetrics() {}

    /** The page in a format for Prometheus. */
    public static String text(Traffic traffic, Exposition format) {
        return format.write(TABLE, traffic);
    }

    private static MetricSource<Traffic, Labelled<Long>> source(ToLongFunction<Attempts> count) {
        return MetricSource.<Traffic, Long>labelled(LABELS, traffic -> series(traffic, count))
                .only(PAGE, traffic -> true);
    }

    /** A Service may have several addresses of a kind; they are one series. */
    private static Stream<Labelled<Long>> series(Traffic traffic, ToLongFunction<Attempts> count) {
        Map<List<String>, Long> sums = new LinkedHashMap<>();
        traffic.rows().forEach(row -> sums.merge(labels(row), count.applyAsLong(row.attempts()), Long::sum));
        return sums.entrySet().stream().map(each -> new Labelled<>(each.getValue(), each.getKey()));
    }

    private static List<String> labels(Traffic.Row row) {
        ServicePort port = row.frontend().port();
        String name = port.name().port();
        return List.of(
                port.family().toString(),
                row.frontend().kind(),
                port.name().service().namespace(),
                name.isEmpty() ? Integer.toString(port.port()) : name,
                port.name().service().name());
    }
}
