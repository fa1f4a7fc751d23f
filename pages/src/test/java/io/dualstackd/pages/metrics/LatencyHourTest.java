package io.dualstackd.pages.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.pages.metrics.LatencyHour.Slot;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LatencyHourTest {
    private static final long NOON = Duration.ofDays(20_000).plusHours(12).toMillis();
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final LatencyHour hour = new LatencyHour();

    @Test
    void nothingAtFirst() {
        assertThat(hour.slots(NOON)).isEmpty();
    }

    @Test
    void shortestAndLongestOfEachTenSeconds() {
        hour.note(NOON, 300);
        hour.note(NOON + 9_999, 100);
        hour.note(NOON + 10_000, 200);
        assertThat(hour.slots(NOON + 30_000))
                .containsExactly(new Slot(NOON, 2, 100, 300), new Slot(NOON + 10_000, 1, 200, 200));
    }

    @Test
    void anHourIsKept() {
        for (long at = NOON; at < NOON + 3 * HOUR; at += 10_000) {
            hour.note(at, at);
        }
        assertThat(hour.slots(NOON + 3 * HOUR - 1))
                .hasSize(360)
                .first()
                .isEqualTo(new Slot(NOON + 2 * HOUR, 1, NOON + 2 * HOUR, NOON + 2 * HOUR));
    }

    @Test
    void doesNotShowExpiredLatencies() {
        hour.note(NOON, 5);
        assertThat(hour.slots(NOON + HOUR - 10_001)).hasSize(1);
        assertThat(hour.slots(NOON + HOUR)).isEmpty();
    }

    @Test
    void clockSetBackResetsTheHour() {
        hour.note(NOON, 5);
        hour.note(NOON - HOUR, 7);
        assertThat(hour.slots(NOON - HOUR)).containsExactly(new Slot(NOON - HOUR, 1, 7, 7));
    }
}
