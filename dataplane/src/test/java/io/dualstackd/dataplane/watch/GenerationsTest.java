package io.dualstackd.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GenerationsTest {
    private final Generations generations = new Generations();

    @Test
    void nothingIsExplainedButNoChangeAtAll() {
        assertThat(generations.explain(7, 7)).isTrue();
        assertThat(generations.explain(7, 8)).isFalse();
    }

    @Test
    void contiguousGenerationsAreExplained() {
        generations.account(5);
        generations.account(7);
        assertThat(generations.explain(4, 5)).isTrue();
        assertThat(generations.explain(3, 5)).isFalse();
        assertThat(generations.explain(4, 7)).isFalse();
        generations.account(6);
        assertThat(generations.explain(4, 7)).isTrue();
        assertThat(generations.explain(6, 7)).isTrue();
        assertThat(generations.explain(4, 8)).isFalse();
    }

    @Test
    void missedGenerationsStayUnexplainedAfterResubscribing() {
        generations.account(5);
        generations.accountFrom(5);
        assertThat(generations.explain(4, 5)).isTrue();
        generations.account(8);
        generations.accountFrom(7);
        assertThat(generations.explain(5, 8)).isFalse();
        assertThat(generations.explain(7, 8)).isTrue();
    }

    @Test
    void outdatedNotificationChangesNothing() {
        generations.accountFrom(10);
        generations.account(9);
        assertThat(generations.explain(8, 10)).isFalse();
        generations.account(11);
        assertThat(generations.explain(10, 11)).isTrue();
    }

    /** The kernel has no generation 0. */
    @Test
    void zeroIsLeftOut() {
        generations.accountFrom(-2);
        generations.account(-1);
        generations.account(1);
        generations.account(2);
        assertThat(generations.explain(-2, 2)).isTrue();
        assertThat(Generations.next(-1)).isEqualTo(1);
    }

    @Test
    void theNumberMayWrap() {
        generations.accountFrom(Integer.MAX_VALUE);
        generations.account(Integer.MIN_VALUE);
        generations.account(Integer.MIN_VALUE + 1);
        assertThat(generations.explain(Integer.MAX_VALUE, Integer.MIN_VALUE + 1))
                .isTrue();
    }
}
