package io.dualstackd.pages.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.pages.metrics.ServiceMetrics.Series;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServiceMetricsTest {
    /** Prometheus takes a lower value for a new process, and counts everything again. */
    @Test
    void aSeriesDoesNotGoDownWhenAnAddressGoes() {
        Series two = Series.NONE.followedBy(Map.of("a", new Attempts(10, 1, 0), "b", new Attempts(5000, 0, 2)));
        assertThat(two.total()).isEqualTo(new Attempts(5010, 1, 2));
        Series one = two.followedBy(Map.of("a", new Attempts(12, 1, 0)));
        assertThat(one.total()).isEqualTo(new Attempts(5012, 1, 2));
        // The address comes back, and counts from zero.
        Series again = one.followedBy(Map.of("a", new Attempts(12, 1, 0), "b", new Attempts(3, 0, 0)));
        assertThat(again.total()).isEqualTo(new Attempts(5015, 1, 2));
    }

    /** As when a Service is deleted and made again between two readings. */
    @Test
    void aSeriesDoesNotGoDownWhenAnAddressCountsFromZeroAgain() {
        Series before = Series.NONE.followedBy(Map.of("a", new Attempts(10, 1, 0), "b", new Attempts(5000, 0, 2)));
        Series again = before.followedBy(Map.of("a", new Attempts(10, 1, 0), "b", new Attempts(3, 0, 0)));
        assertThat(again.total()).isEqualTo(new Attempts(5013, 1, 2));
        Series later = again.followedBy(Map.of("a", new Attempts(10, 1, 0), "b", new Attempts(4, 0, 0)));
        assertThat(later.total()).isEqualTo(new Attempts(5014, 1, 2));
    }
}
