package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.netlink.ip.IpFamily;
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
            1000 * MB,
            this::release);

    private int spills;
    private int releases;
    /** The young generation is collected when so much is used. */
    private long full = Long.MAX_VALUE;

    private void release() {
        releases++;
    }

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
        grow(11);
        assertThat(collectedAt).isEmpty();
        grow(22);
        assertThat(collectedAt).containsExactly(22L);
        grow(11);
        assertThat(collectedAt).hasSize(1);
        live = 10 * MB;
        grow(12);
        assertThat(collectedAt).containsExactly(22L, 12L);
        grow(13);
        assertThat(collectedAt).hasSize(2);
        grow(14);
        assertThat(collectedAt).containsExactly(22L, 12L, 14L);
    }

    @Test
    void largeWorkIsFollowedByACollection() {
        live = 5 * MB;
        used = 11 * MB;
        keeper.settle();
        assertThat(collectedAt).isEmpty();
        used = 13 * MB;
        keeper.settle();
        assertThat(collectedAt).containsExactly(13L);
    }

    /** What is read for the first time is kept. */
    @Test
    void aFirstReadingIsInterruptedSeldom() {
        live = 24 * MB;
        used = 19 * MB;
        keeper.reading();
        assertThat(collectedAt).isEmpty();
        used = 20 * MB;
        keeper.reading();
        assertThat(collectedAt).containsExactly(20L);
        used = 37 * MB;
        keeper.reading();
        assertThat(collectedAt).hasSize(1);
        used = 38 * MB;
        keeper.reading();
        assertThat(collectedAt).containsExactly(20L, 38L);
    }

    /** In a large heap a collection takes long. */
    @Test
    void aLargeHeapMayDoubleWhileItIsRead() {
        live = 40 * MB;
        used = 48 * MB;
        keeper.settle();
        assertThat(collectedAt).containsExactly(48L);
        used = 105 * MB;
        keeper.reading();
        assertThat(collectedAt).hasSize(1);
        used = 106 * MB;
        keeper.reading();
        assertThat(collectedAt).containsExactly(48L, 106L);
        used = 50 * MB;
        keeper.tidy();
        assertThat(collectedAt).containsExactly(48L, 106L, 50L);
    }

    /** A collection stops all threads, also that of a family that is still being compared. */
    @Test
    void twoComparisonsAreFollowedByOneCollection() {
        SyncObserver ipv4 = keeper.observer();
        SyncObserver ipv6 = keeper.observer();
        live = 5 * MB;
        used = 30 * MB;
        ipv4.onAllServices();
        ipv6.onAllServices();
        ipv6.onStatus(status(IpFamily.IPV6, FamilyStatus.State.IN_FORCE));
        keeper.afterSync();
        assertThat(collectedAt).isEmpty();
        keeper.calm();
        assertThat(releases).isZero();
        ipv4.onStatus(status(IpFamily.IPV4, FamilyStatus.State.FAILING));
        keeper.afterSync();
        assertThat(collectedAt).containsExactly(30L);
        assertThat(releases).isEqualTo(1);
        used = 17 * MB;
        ipv6.onStatus(status(IpFamily.IPV6, FamilyStatus.State.IN_FORCE));
        ipv4.onAllServices();
        ipv4.onStatus(status(IpFamily.IPV4, FamilyStatus.State.FAILING));
        assertThat(collectedAt).hasSize(1);
        ipv4.onAllServices();
        ipv4.onAllServices();
        ipv4.onStatus(status(IpFamily.IPV4, FamilyStatus.State.IN_FORCE));
        assertThat(collectedAt).hasSize(2);
        assertThat(releases).isEqualTo(1);
        used = 17 * MB;
        keeper.afterSync();
        assertThat(collectedAt).hasSize(3);
        keeper.calm();
        keeper.calm();
        assertThat(releases).isEqualTo(2);
    }

    private static FamilyStatus status(IpFamily family, FamilyStatus.State state) {
        return FamilyStatus.initial(family).in(state);
    }

    @Test
    void collectsYoungGenerationWhenIdle() {
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

    /** Live objects alone never cause repeated collections. */
    @Test
    void aLargeHeapIsCollectedAsItGrowsByAQuarter() {
        for (long megabytes = 1; megabytes < 900; megabytes++) {
            live = megabytes * MB;
            grow(megabytes);
        }
        assertThat(collectedAt)
                .containsExactly(
                        12L, 16L, 20L, 25L, 32L, 40L, 50L, 63L, 79L, 99L, 124L, 155L, 194L, 243L, 304L, 380L, 475L,
                        594L, 743L);
    }
}
