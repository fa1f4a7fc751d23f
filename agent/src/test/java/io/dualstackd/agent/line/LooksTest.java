package io.dualstackd.agent.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class LooksTest {
    private static final Duration PERIOD = Duration.ofSeconds(30);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Looks looks = new Looks();

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }

    @Test
    void theFirstLookIsDueAtOnceAndTheNextAfterThePeriod() {
        assertThat(looks.due(at(0), PERIOD)).isTrue();
        assertThat(looks.proves(false, at(0))).isFalse();
        assertThat(looks.due(at(29_999), PERIOD)).isFalse();
        assertThat(looks.due(at(30_000), PERIOD)).isTrue();
    }

    @Test
    void aLookThatIsAskedForIsDueOnce() {
        looks.proves(false, at(0));
        looks.ask();
        assertThat(looks.due(at(10), PERIOD)).isTrue();
        looks.proves(false, at(10));
        assertThat(looks.due(at(20), PERIOD)).isFalse();
    }

    @Test
    void whatIsExplainedAtTheSecondLookIsNothing() {
        assertThat(looks.proves(true, at(0))).isFalse();
        assertThat(looks.wait(PERIOD)).isEqualTo(Looks.SECOND);
        assertThat(looks.due(at(199), PERIOD)).isFalse();
        assertThat(looks.due(at(200), PERIOD)).isTrue();
        assertThat(looks.proves(false, at(200))).isFalse();
        assertThat(looks.wait(PERIOD)).isEqualTo(PERIOD);
    }

    @Test
    void whatIsUnexplainedTwiceIsProof() {
        looks.proves(true, at(0));
        assertThat(looks.proves(true, at(200))).isTrue();
        assertThat(looks.due(at(400), PERIOD)).isFalse();
        assertThat(looks.proves(true, at(30_200)))
                .as("the next change is a new suspicion")
                .isFalse();
    }

    @Test
    void aLookAskedForDuringASuspicionIsNotLost() {
        looks.proves(true, at(0));
        looks.ask();
        assertThat(looks.due(at(10), PERIOD)).isFalse();
        assertThat(looks.due(at(200), PERIOD)).isTrue();
        looks.proves(false, at(200));
        assertThat(looks.due(at(201), PERIOD)).isTrue();
    }
}
