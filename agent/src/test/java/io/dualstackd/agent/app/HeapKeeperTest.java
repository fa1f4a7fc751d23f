package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapKeeperTest {
    private static final long MB = 1 << 20;

    private long used;
    private long live;
    private final List<Long> collectedAt = new ArrayList<>();
    private final HeapKeeper keeper = new HeapKeeper(
            () -> used,
            () -> {
                collectedAt.add(used / MB);
                used = live;
            },
            this::spill,
            1000 * MB);

    private int spills;
    /** The young generation is collected when so much is used. */
    private long full = Long.MAX_VALUE;

    private void spill() {
        spills++;
        used += MB / 32;
        if (used >= full) {
            used = live;
        }
    }

    private void grow(long toMegabytes) {
        used = toMegabytes * MB;
        keeper.tidy();
    }

    @Test
    void garbageIsLeftAloneUntilItIsWorthwhile() {
        live = 5 * MB;
        grow(15);
        assertThat(collectedAt).isEmpty();
        grow(22);
        assertThat(collectedAt).containsExactly(22L);
        grow(12);
        assertThat(collectedAt).hasSize(1);
        grow(14);
        assertThat(collectedAt).containsExactly(22L, 14L);
    }

    @Test
    void largeWorkIsFollowedByACollection() {
        live = 5 * MB;
        used = 15 * MB;
        keeper.settle();
        assertThat(collectedAt).isEmpty();
        used = 17 * MB;
        keeper.settle();
        assertThat(collectedAt).containsExactly(17L);
    }

    @Test
    void theYoungGenerationIsCollectedWhenNobodyWaits() {
        live = 20 * MB;
        full = 25 * MB;
        used = 21 * MB;
        keeper.makeRoom();
        used = 22 * MB;
        keeper.makeRoom();
        assertThat(spills).isZero();
        used = 24 * MB;
        keeper.makeRoom();
        assertThat(spills).isEqualTo(32);
        assertThat(used).isEqualTo(live);
        used = 21 * MB;
        keeper.makeRoom();
        assertThat(spills).isEqualTo(32);
    }

    @Test
    void aLargeYoungGenerationIsLeftToItself() {
        used = 20 * MB;
        keeper.makeRoom();
        used = 24 * MB;
        keeper.makeRoom();
        assertThat(spills).isEqualTo(512);
    }

    /** What lives is never a reason to collect again and again. */
    @Test
    void aLargeHeapIsCollectedAsItGrowsByAQuarter() {
        for (long megabytes = 1; megabytes < 900; megabytes++) {
            live = megabytes * MB;
            grow(megabytes);
        }
        assertThat(collectedAt)
                .containsExactly(
                        16L, 24L, 32L, 40L, 50L, 63L, 79L, 99L, 124L, 155L, 194L, 243L, 304L, 380L, 475L, 594L, 743L);
    }
}
