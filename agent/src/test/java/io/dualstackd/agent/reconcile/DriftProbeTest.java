package io.dualstackd.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DriftProbeTest {
    private static final Duration PERIOD = Duration.ofSeconds(30);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final DriftProbe driftProbe = new DriftProbe();

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }

    @Test
    void theFirstLookIsDueAtOnceAndTheNextAfterThePeriod() {
        assertThat(driftProbe.due(at(0), PERIOD)).isTrue();
        assertThat(driftProbe.proves(false, at(0))).isFalse();
        assertThat(driftProbe.due(at(29_999), PERIOD)).isFalse();
        assertThat(driftProbe.due(at(30_000), PERIOD)).isTrue();
    }

    @Test
    void requestedProbeIsDueOnce() {
        driftProbe.proves(false, at(0));
        driftProbe.request();
        assertThat(driftProbe.due(at(10), PERIOD)).isTrue();
        driftProbe.proves(false, at(10));
        assertThat(driftProbe.due(at(20), PERIOD)).isFalse();
    }

    @Test
    void differenceExplainedBySecondProbeIsIgnored() {
        assertThat(driftProbe.proves(true, at(0))).isFalse();
        assertThat(driftProbe.wait(PERIOD)).isEqualTo(DriftProbe.SECOND);
        assertThat(driftProbe.due(at(199), PERIOD)).isFalse();
        assertThat(driftProbe.due(at(200), PERIOD)).isTrue();
        assertThat(driftProbe.proves(false, at(200))).isFalse();
        assertThat(driftProbe.wait(PERIOD)).isEqualTo(PERIOD);
    }

    @Test
    void unexplainedDifferenceTwiceIsDrift() {
        driftProbe.proves(true, at(0));
        assertThat(driftProbe.proves(true, at(200))).isTrue();
        assertThat(driftProbe.due(at(400), PERIOD)).isFalse();
        assertThat(driftProbe.proves(true, at(30_200)))
                .as("the next change is a new suspicion")
                .isFalse();
    }

    @Test
    void probeRequestedDuringSuspicionIsNotLost() {
        driftProbe.proves(true, at(0));
        driftProbe.request();
        assertThat(driftProbe.due(at(10), PERIOD)).isFalse();
        assertThat(driftProbe.due(at(200), PERIOD)).isTrue();
        driftProbe.proves(false, at(200));
        assertThat(driftProbe.due(at(201), PERIOD)).isTrue();
    }
}
