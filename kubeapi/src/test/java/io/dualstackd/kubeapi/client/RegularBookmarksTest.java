package io.dualstackd.kubeapi.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RegularBookmarksTest {
    private final RegularBookmarks bookmarks = new RegularBookmarks(Duration.ofSeconds(90));

    private boolean at(int seconds, long events) {
        return bookmarks.bookmark(Duration.ofSeconds(seconds).toNanos(), events);
    }

    @Test
    void threeInAMinuteEachWithoutAChangeAreAProof() {
        assertThat(at(0, 5)).isFalse();
        assertThat(at(60, 5)).isFalse();
        assertThat(bookmarks.areProven()).isFalse();
        assertThat(at(120, 5)).isTrue();
        assertThat(at(180, 5)).as("is one already").isFalse();
        assertThat(bookmarks.areProven()).isTrue();
    }

    @Test
    void thoseAfterAChangeOrTooLateAreNone() {
        at(0, 5);
        at(60, 5);
        assertThat(at(120, 6)).as("something changed").isFalse();
        assertThat(at(180, 6)).isFalse();
        assertThat(at(270, 6)).as("too late").isFalse();
        assertThat(at(330, 6)).isFalse();
        assertThat(at(390, 6)).isTrue();
    }

    @Test
    void thoseOfTwoWatchesAreNotCountedTogether() {
        at(0, 5);
        at(60, 5);
        bookmarks.begin();
        assertThat(at(61, 5)).isFalse();
        assertThat(at(121, 5)).isFalse();
        assertThat(at(181, 5)).isTrue();
        bookmarks.begin();
        assertThat(bookmarks.areProven())
                .as("one proof holds for later watches")
                .isTrue();
    }

    @Test
    void afterADoubtTheProofIsMadeAgain() {
        at(0, 5);
        at(60, 5);
        at(120, 5);
        bookmarks.doubt();
        assertThat(bookmarks.areProven()).isFalse();
        bookmarks.begin();
        at(200, 5);
        at(260, 5);
        assertThat(at(320, 5)).isTrue();
    }
}
