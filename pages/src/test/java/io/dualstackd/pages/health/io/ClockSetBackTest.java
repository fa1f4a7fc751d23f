package io.dualstackd.pages.health.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.supervision.sys.SteadyClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The system's clock is set while changes wait. */
class ClockSetBackTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final AtomicLong elapsed = new AtomicLong();
    private Duration set = Duration.ZERO;
    private final SteadyClock steady = new SteadyClock(START, elapsed::get);
    private final HealthState board = new HealthState(new Wall(), steady, TIMEOUT);

    private final class Wall extends Clock {
        @Override
        public Instant instant() {
            return START.plusNanos(elapsed.get()).plus(set);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private void pass(Duration time) {
        elapsed.addAndGet(time.toNanos());
    }

    private int livez() {
        return board.health().livez(board.now()).status();
    }

    @Test
    void aStuckFamilyIsSeenAllTheSame() {
        board.updated(IpFamily.IPV6);
        board.queued(IpFamily.IPV6);
        set = Duration.ofHours(-1);
        assertThat(livez()).isEqualTo(200);
        pass(TIMEOUT.plusSeconds(1));
        assertThat(board.isHealthy()).isFalse();
        assertThat(livez()).isEqualTo(503);
    }

    @Test
    void clockSetForwardCausesNoMissedDeadline() {
        board.updated(IpFamily.IPV4);
        board.queued(IpFamily.IPV4);
        set = Duration.ofHours(1);
        assertThat(board.isHealthy()).isTrue();
        assertThat(livez()).isEqualTo(200);
    }

    /** What people read is the system's time. */
    @Test
    void answersShowTheSystemsTime() {
        board.updated(IpFamily.IPV4);
        board.queued(IpFamily.IPV4);
        set = Duration.ofHours(1);
        pass(TIMEOUT.plusSeconds(1));
        String body = board.health().livez(board.now()).body();
        assertThat(body)
                .contains("\"lastUpdated\": \"2026-01-01T13:00:00Z\"")
                .contains("\"currentTime\": \"2026-01-01T13:02:01Z\"");
    }
}
