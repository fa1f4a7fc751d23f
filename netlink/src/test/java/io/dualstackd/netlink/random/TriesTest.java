package io.dualstackd.netlink.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets a system property")
final class TriesTest {
    private static String story(Draw draw) {
        return draw.text(20) + draw.list(1, 5, () -> draw.between(-3, 3)) + draw.one("a", "b", "c");
    }

    @Test
    void runsAsOftenAsRequestedWithDifferentValues() {
        List<String> stories = new ArrayList<>();
        Tries.of(50, draw -> stories.add(story(draw)));
        assertThat(stories).hasSize(50);
        assertThat(stories.stream().distinct().count()).isGreaterThan(40);
    }

    @Test
    void aFailureNamesTheSeedThatRepeatsIt() {
        List<String> failed = new ArrayList<>();
        AssertionError error = catchThrowableOfType(
                AssertionError.class,
                () -> Tries.of(1_000, draw -> {
                    String story = story(draw);
                    failed.add(story);
                    assertThat(story).doesNotEndWith("c");
                }));
        assertThat(error)
                .hasMessageContaining("run " + failed.size() + " of 1000")
                .hasRootCauseInstanceOf(AssertionError.class);

        String seed = String.valueOf(error.getMessage()).replaceFirst("(?s).*-Ddualstackd.seed=(-?\\d+) .*", "$1");
        List<String> again = new ArrayList<>();
        System.setProperty(Tries.SEED, seed);
        try {
            Tries.of(1_000, draw -> again.add(story(draw)));
        } finally {
            System.clearProperty(Tries.SEED);
        }
        assertThat(again).containsExactly(failed.getLast());
    }

    @Test
    void bothEndsOfARangeCome() {
        AtomicInteger least = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Tries.of(2_000, draw -> {
            int value = draw.between(-1_000_000, 1_000_000);
            assertThat(value).isBetween(-1_000_000, 1_000_000);
            least.addAndGet(value == -1_000_000 ? 1 : 0);
            most.addAndGet(value == 1_000_000 ? 1 : 0);
        });
        assertThat(least).hasPositiveValue();
        assertThat(most).hasPositiveValue();
    }
}
