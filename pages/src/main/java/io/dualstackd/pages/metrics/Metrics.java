package io.dualstackd.pages.metrics;

import java.util.List;
import java.util.stream.Stream;

/** The page {@code /metrics}: a table of all metrics. Counters begin with the daemon. */
public final class Metrics {
    static final List<Metric<Scrape>> TABLE = Stream.of(ProxyMetrics.TABLE, OwnMetrics.TABLE, StandardMetrics.TABLE)
            .flatMap(List::stream)
            .toList();

    private Metrics() {}

    /** The page in a format for Prometheus. */
    public static String text(Scrape scrape, Exposition format) {
        return format.write(TABLE, scrape);
    }
}
