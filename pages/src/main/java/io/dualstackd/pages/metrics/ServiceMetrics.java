package io.dualstackd.pages.metrics;

import io.dualstackd.admin.top.Traffic;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.pages.metrics.MetricSource.Labelled;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to connect, by port of a Service and kind of address: the page {@code /metrics/services}, for those who want that many series. A
 * Service may have several addresses of a kind, which are one series; what was counted at one that it has no more, or that counts from zero
 * again, stays in it, since a counter must not go down. Thread-safe.
 */
public final class ServiceMetrics {
    private static final String PAGE = "`/metrics/services`";
    private static final List<String> LABELS = List.of("ip_family", "kind", "namespace", "port", "service");

    static final List<Metric<Map<List<String>, Series>>> TABLE = List.of(
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

    /** By labels, in the order of the page. */
    private Map<List<String>, Series> known = Map.of();

    /**
     * The counts of one series.
     *
     * @param gone what was counted at addresses that the Service has no more, and at others before they counted from zero again
     * @param present by frontend
     */
    record Series(Attempts gone, Map<String, Attempts> present) {
        static final Series NONE = new Series(Attempts.NONE, Map.of());

        Attempts total() {
            return present.values().stream().reduce(gone, Attempts::plus);
        }

        /** The same series with the counts of now. */
        Series followedBy(Map<String, Attempts> now) {
            return new Series(
                    present.entrySet().stream()
                            .filter(each -> isGone(each.getValue(), now.get(each.getKey())))
                            .map(Map.Entry::getValue)
                            .reduce(gone, Attempts::plus),
                    Map.copyOf(now));
        }

        /** Whether what was counted at an address is not part of what is counted there now. */
        private static boolean isGone(Attempts before, @Nullable Attempts now) {
            return now == null
                    || now.connections() < before.connections()
                    || now.refused() < before.refused()
                    || now.dropped() < before.dropped();
        }
    }

    /** The page in a format for Prometheus. */
    public synchronized String text(Traffic traffic, Exposition format) {
        Map<List<String>, Map<String, Attempts>> now = new LinkedHashMap<>();
        traffic.rows()
                .forEach(row -> now.computeIfAbsent(labels(row), labels -> new HashMap<>())
                        .put(row.frontend().frontend(), row.attempts()));
        Map<List<String>, Series> next = new LinkedHashMap<>();
        now.forEach((labels, present) ->
                next.put(labels, known.getOrDefault(labels, Series.NONE).followedBy(present)));
        known = next;
        return format.write(TABLE, next);
    }

    private static MetricSource<Map<List<String>, Series>, Labelled<Long>> source(ToLongFunction<Attempts> count) {
        return MetricSource.<Map<List<String>, Series>, Long>labelled(
                        LABELS,
                        all -> all.entrySet().stream()
                                .map(each -> new Labelled<>(
                                        count.applyAsLong(each.getValue().total()), each.getKey())))
                .only(PAGE, all -> true);
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
