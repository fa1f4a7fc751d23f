package io.dualstackd.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RelistPaceTest {
    private final RelistPace pace = new RelistPace();
    private Instant now = Instant.parse("2026-11-21T08:00:00Z");

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private void trusted() {
        pace.flow(EventFlow.FLOWING, now);
        pass(RelistPace.PROBATION);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.LONG);
    }

    @Test
    void withoutEventsEachSecond() {
        pace.flow(EventFlow.NOT_OFFERED, now);
        pace.listed(true, Set.of(), now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.SHORT);
        pass(Duration.ofDays(1));
        assertThat(pace.wait(now)).isEqualTo(RelistPace.SHORT);
    }

    @Test
    void eventsAreTrustedAfterAWhile() {
        pace.flow(EventFlow.FLOWING, now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.SHORT);
        pass(RelistPace.PROBATION.minusMillis(1));
        assertThat(pace.trustsEvents(now)).isFalse();
        pass(Duration.ofMillis(1));
        assertThat(pace.trustsEvents(now)).isTrue();
        assertThat(pace.wait(now)).isEqualTo(RelistPace.LONG);
        pace.flow(EventFlow.BROKEN, now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.SHORT);
        pace.flow(EventFlow.FLOWING, now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.SHORT);
    }

    @Test
    void unannouncedChangeShortensTheRelistInterval() {
        trusted();
        pace.listed(false, Set.of(), now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.LONG);
        pace.listed(true, Set.of(), now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.SHORT);
        pass(RelistPace.DISTRUST);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.LONG);
    }

    @Test
    void kernelEventShortensTheIntervalForAWhile() {
        trusted();
        Duration spent = Duration.ZERO;
        int asked = 0;
        for (pace.listed(false, Set.of(7), now); pace.stillDoubts(7); pace.listed(false, Set.of(7), now)) {
            spent = spent.plus(pace.wait(now));
            asked++;
        }
        assertThat(asked).isEqualTo(64);
        assertThat(spent).isEqualTo(Duration.ofMillis(1255));
        assertThat(pace.wait(now)).isEqualTo(RelistPace.LONG);
        pace.listed(false, Set.of(), now);
        pace.listed(false, Set.of(7), now);
        assertThat(pace.wait(now)).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void eachExitIsCheckedForAsLong() {
        for (int list = 0; list < 64; list++) {
            pace.listed(false, Set.of(7), now);
        }
        pace.listed(false, Set.of(7, 8), now);
        assertThat(pace.stillDoubts(7)).isFalse();
        assertThat(pace.stillDoubts(8)).isTrue();
        assertThat(pace.wait(now)).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void retriesASandboxThatIsNotFullyKnownSoon() {
        trusted();
        List<Duration> waits = new ArrayList<>();
        for (int list = 0; list < 9; list++) {
            pace.unread(Set.of("a"), now);
            waits.add(pace.wait(now));
            pass(pace.wait(now));
        }
        assertThat(waits).extracting(Duration::toSeconds).containsExactly(1L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
        pace.unread(Set.of("a", "b"), now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.SHORT);
        pass(Duration.ofSeconds(9));
        pace.unread(Set.of("b"), now);
        assertThat(pace.wait(now)).isEqualTo(Duration.ofSeconds(9));
        pace.unread(Set.of(), now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.LONG);
    }

    @Test
    void silentRuntimeIsListedLessAndLess() {
        trusted();
        pace.failed();
        assertThat(pace.wait(now)).isEqualTo(Duration.ofMillis(200));
        pace.failed();
        assertThat(pace.wait(now)).isEqualTo(Duration.ofMillis(400));
        for (int i = 0; i < 100; i++) {
            pace.failed();
        }
        assertThat(pace.wait(now)).isEqualTo(Duration.ofSeconds(5));
        pace.listed(false, Set.of(), now);
        assertThat(pace.wait(now)).isEqualTo(RelistPace.LONG);
    }
}
