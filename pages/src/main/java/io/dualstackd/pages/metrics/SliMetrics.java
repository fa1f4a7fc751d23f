package io.dualstackd.pages.metrics;

import io.dualstackd.pages.health.Check;
import io.dualstackd.pages.metrics.MetricSource.Labelled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The results of health checks: the page {@code /metrics/slis}, the same for all components of Kubernetes. Used by one thread. */
public final class SliMetrics {
    private static final String PAGE = "`/metrics/slis`";

    static final List<Metric<SliMetrics>> TABLE = List.of(
            MetricSource.labelled(List.of("name", "type"), SliMetrics::latest)
                    .only(PAGE, slis -> true)
                    .gauge("kubernetes_healthcheck", "1 if the check passed the last time", Labelled::value),
            MetricSource.labelled(List.of("name", "status", "type"), SliMetrics::results)
                    .only(PAGE, slis -> true)
                    .counter("kubernetes_healthchecks_total", "Results of the check", Labelled::value));

    private record Key(String type, String name) {}

    private record Count(boolean good, long successes, long errors) {
        static final Count NONE = new Count(true, 0, 0);

        Count plus(boolean now) {
            return new Count(now, successes + (now ? 1 : 0), errors + (now ? 0 : 1));
        }
    }

    private final Map<Key, Count> counts = new HashMap<>();

    /** @param type of the checks: the page they were requested on */
    public void note(String type, List<Check> checks) {
        for (Check check : checks) {
            Key key = new Key(type, check.name());
            counts.put(
                    key, counts.getOrDefault(key, Count.NONE).plus(check.error().isEmpty()));
        }
    }

    /** All results so far. */
    public String text(Exposition format) {
        return format.write(TABLE, this);
    }

    private Stream<Labelled<Integer>> latest() {
        return counts.entrySet().stream()
                .map(check -> new Labelled<>(check.getValue().good ? 1 : 0, check.getKey().name, check.getKey().type));
    }

    private Stream<Labelled<Long>> results() {
        return counts.entrySet().stream()
                .flatMap(check -> Stream.of(
                        result(check.getKey(), "success", check.getValue().successes),
                        result(check.getKey(), "error", check.getValue().errors)));
    }

    private static Labelled<Long> result(Key key, String status, long count) {
        return new Labelled<>(count, key.name, status, key.type);
    }
}
