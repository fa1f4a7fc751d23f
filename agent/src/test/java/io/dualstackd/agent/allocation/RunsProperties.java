package io.dualstackd.agent.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Runs are a set like any other, only faster at finding gaps. */
final class RunsProperties {
    /** Numbers around both ends of what 64 bits can hold, close enough to become neighbours. */
    private static final long[] BASES = {0, Long.MAX_VALUE - 10, -25};

    record Step(boolean add, long number) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Long> numbers = Combinators.combine(
                        Arbitraries.integers().between(0, BASES.length - 1),
                        Arbitraries.integers().between(0, 24))
                .as((base, offset) -> BASES[base] + offset);
        return Combinators.combine(Arbitraries.of(true, true, false), numbers)
                .as(Step::new)
                .list()
                .ofMaxSize(200);
    }

    @Property(tries = 300)
    void likeASet(@ForAll("steps") List<Step> steps) {
        Runs runs = new Runs();
        TreeSet<Long> set = new TreeSet<>(Long::compareUnsigned);
        for (Step step : steps) {
            boolean changed = step.add() ? runs.add(step.number()) : runs.remove(step.number());
            assertThat(changed).isEqualTo(step.add() ? set.add(step.number()) : set.remove(step.number()));
            assertThat(runs.count()).isEqualTo(set.size());
            assertThat(runs.contains(step.number())).isEqualTo(step.add());
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
                assertThat(runs.firstAbsent(from, base + 23)).isEqualTo(absent);
            }
        }
    }
}
