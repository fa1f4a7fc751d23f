package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.watch.Generations;
import org.junit.jupiter.api.Test;

class SeenGenerationTest {
    private final Generations generations = new Generations();
    private final SeenGeneration seen = new SeenGeneration(generations);

    SeenGenerationTest() {
        generations.accountFrom(10);
        seen.know(10);
    }

    /** Other programs commit all the time, so the notification of the newest generation is always still to come. */
    @Test
    void newsThatCameSinceTheLastLookCount() {
        assertThat(seen.changedByOthers(11)).isTrue();
        generations.account(11);
        assertThat(seen.changedByOthers(12)).isFalse();
        generations.account(12);
        assertThat(seen.changedByOthers(13)).isFalse();
        assertThat(seen.known()).isEqualTo(12);
    }

    @Test
    void newsThatNeverComeAreMissed() {
        assertThat(seen.changedByOthers(11)).isTrue();
        generations.account(12);
        assertThat(seen.changedByOthers(12)).isTrue();
        assertThat(seen.changedByOthers(13)).isTrue();
    }

    @Test
    void ourOwnVersionIsKnownWhenItIsTheNext() {
        seen.committed(11);
        assertThat(seen.changedByOthers(11)).isFalse();
        seen.committed(13);
        assertThat(seen.known()).isEqualTo(11);
        assertThat(seen.changedByOthers(13)).isTrue();
    }
}
