package io.dualstackd.pages.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class FamilyMeterTest {
    private final FamilyMeter meter =
            new FamilyMeter(IpFamily.IPV4, MetricSamples.NOW, () -> ChangeMetadata.Counts.NONE);

    private void queued(long nanos) {
        meter.queued(MetricSamples.NOW, nanos);
    }

    private long longest() {
        return meter.recent().quantile(1);
    }

    @Test
    void theOldestChangeOfAPassIsMeasured() {
        queued(1_000);
        queued(2_000);
        meter.taken();
        queued(5_000);
        meter.inForce(MetricSamples.NOW, 7_000);
        assertThat(meter.changes.count()).isEqualTo(1);
        assertThat(longest()).isEqualTo(6_000);
        meter.taken();
        meter.inForce(MetricSamples.NOW, 6_000);
        assertThat(meter.changes.count()).isEqualTo(2);
        assertThat(meter.recent().quantile(0.5)).isEqualTo(1_000);
    }

    @Test
    void failedChangeStaysPending() {
        queued(1_000);
        meter.taken();
        queued(2_000);
        meter.taken();
        meter.inForce(MetricSamples.NOW, 11_000);
        assertThat(longest()).isEqualTo(10_000);
    }

    @Test
    void syncWithoutChangesIsNotCounted() {
        meter.taken();
        meter.inForce(MetricSamples.NOW, 11_000);
        assertThat(meter.changes.count()).isZero();
        assertThat(meter.lastInForce).isEqualTo(MetricSamples.NOW);
        assertThat(meter.lastQueued).isEqualTo(Instant.EPOCH);
        assertThat(longest()).isZero();
    }

    /** A counter that steps back looks like a restart. */
    @Test
    void theNumberOfChangesNeverStepsBack() {
        AtomicReference<ChangeMetadata.Counts> waiting = new AtomicReference<>(new ChangeMetadata.Counts(1, 2));
        FamilyMeter counting = new FamilyMeter(IpFamily.IPV4, MetricSamples.NOW, waiting::get);
        assertThat(counting.received()).isEqualTo(new ChangeMetadata.Counts(1, 2));
        waiting.set(ChangeMetadata.Counts.NONE);
        assertThat(counting.received()).as("taken, not counted yet").isEqualTo(new ChangeMetadata.Counts(1, 2));
        counting.arrived(new ChangeMetadata(1, 2, 0, List.of()));
        waiting.set(new ChangeMetadata.Counts(1, 0));
        assertThat(counting.received()).isEqualTo(new ChangeMetadata.Counts(2, 2));
    }

    @Test
    void recentIsRecent() {
        RecentLatencies recent = new RecentLatencies();
        recent.note(1_000_000);
        for (int i = 0; i < RecentLatencies.ROOM; i++) {
            recent.note(i);
        }
        assertThat(recent.sorted().count()).isEqualTo(RecentLatencies.ROOM);
        assertThat(recent.sorted().quantile(1)).isEqualTo(RecentLatencies.ROOM - 1);
        assertThat(recent.sorted().quantile(0.5)).isEqualTo(RecentLatencies.ROOM / 2 - 1);
        assertThat(recent.sorted().quantile(0)).isZero();
    }

    @Test
    void boundsBelongToTheirBuckets() {
        Histogram histogram = new Histogram(Buckets.SYNC);
        histogram.observe(1_000_000);
        histogram.observe(1_000_001);
        histogram.observe(Long.MAX_VALUE / 4);
        var classic = histogram.sample(Labels.EMPTY).getClassicBuckets();
        assertThat(classic.getUpperBound(0)).isEqualTo(0.001);
        assertThat(classic.getCount(0)).isEqualTo(1);
        assertThat(classic.getCount(1)).isEqualTo(1);
        assertThat(classic.getCount(classic.size() - 1)).isEqualTo(1);
        assertThat(classic.size()).isEqualTo(16);
    }
}
