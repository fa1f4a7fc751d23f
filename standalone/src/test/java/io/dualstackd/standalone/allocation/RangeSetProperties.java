package io.dualstackd.standalone.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Runs are a set like any other, only faster at finding gaps. */
final class RangeSetProperties {
    /** Numbers around both ends of what 64 bits can hold, close enough to become neighbours. */
    private static final long[] BASES = {0, Long.MAX_VALUE - 10, -25};

    record Step(boolean add, long number) {}

    private static List<Step> steps(Draw draw) {
        return draw.list(
                0,
                200,
                () -> new Step(draw.one(true, true, false), BASES[draw.upTo(BASES.length - 1)] + draw.upTo(24)));
    }

    @Test
    void likeASet() {
        Tries.of(300, draw -> likeASet(steps(draw)));
    }

    private void likeASet(List<Step> steps) {
        RangeSet rangeSet = new RangeSet();
        TreeSet<Long> set = new TreeSet<>(Long::compareUnsigned);
        for (Step step : steps) {
            boolean changed = step.add() ? rangeSet.add(step.number()) : rangeSet.remove(step.number());
            assertThat(changed).isEqualTo(step.add() ? set.add(step.number()) : set.remove(step.number()));
            assertThat(rangeSet.count()).isEqualTo(set.size());
            assertThat(rangeSet.contains(step.number())).isEqualTo(step.add());
        }
        for (long base : BASES) {
            for (long from = base; from != base + 24; from++) {
                OptionalLong absent = OptionalLong.empty();
                for (long number = from; number != base + 24; number++) {
                    if (!set.contains(number)) {
                        absent = OptionalLong.of(number);
                        break;
                    }
                }
                assertThat(rangeSet.firstAbsent(from, base + 23)).isEqualTo(absent);
            }
        }
    }
}
