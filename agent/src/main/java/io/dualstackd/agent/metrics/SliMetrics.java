package io.dualstackd.agent.metrics;

import io.dualstackd.agent.health.Check;
import io.dualstackd.agent.metrics.ExpositionWriter.Point;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The results of health checks: the page {@code /metrics/slis}, the same for all components of Kubernetes. Used by one thread. */
public final class SliMetrics {
    private record Key(String type, String name) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byType = type.compareTo(other.type);
            return byType != 0 ? byType : name.compareTo(other.name);
        }
    }

    private record Count(boolean good, long successes, long errors) {
        static final Count NONE = new Count(true, 0, 0);

        Count plus(boolean now) {
            return new Count(now, successes + (now ? 1 : 0), errors + (now ? 0 : 1));
        }
    }

    private final Map<Key, Count> counts = new TreeMap<>();

    /** @param type of the checks: the page they were requested on */
    public void note(String type, List<Check> checks) {
        for (Check check : checks) {
            Key key = new Key(type, check.name());
            counts.put(
                    key,
                    counts.getOrDefault(key, Count.NONE).plus(check.trouble().isEmpty()));
        }
    }

    /** All results so far. */
    public String text(Exposition format) {
        ExpositionWriter expositionWriter = new ExpositionWriter();
        expositionWriter.gauge(
                "kubernetes_healthcheck",
                "1 when the check was well the last time",
                counts.entrySet().stream()
                        .map(entry -> point(entry.getKey(), entry.getValue().good() ? 1 : 0))
                        .toList());
        expositionWriter.counter(
                "kubernetes_healthchecks",
                "How often the check was well, and how often not",
                counts.entrySet().stream()
                        .flatMap(entry -> Stream.of(
                                point(entry.getKey(), entry.getValue().successes(), "success"),
                                point(entry.getKey(), entry.getValue().errors(), "error")))
                        .toList());
        return format.write(expositionWriter.snapshots());
    }

    private static Point point(Key key, long value) {
        return Point.of(value, "name", key.name, "type", key.type);
    }

    private static Point point(Key key, long value, String status) {
        return Point.of(value, "name", key.name, "status", status, "type", key.type);
    }
}
