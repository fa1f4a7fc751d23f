package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbabilityTest {
    /** The last column is what iptables 1.8.9 listed after being given the first column with ten decimals. */
    @ParameterizedTest
    @CsvSource({
        "2, 0.5000000000, 0.50000000000",
        "3, 0.3333333333, 0.33333333349",
        "4, 0.2500000000, 0.25000000000",
        "5, 0.2000000000, 0.20000000019",
        "7, 0.1428571429, 0.14285714272",
        "10, 0.1000000000, 0.10000000009",
        "1000, 0.0010000000, 0.00100000016",
    })
    void followsTheTwoRoundingsOfTheTools(int choices, String written, String listed) {
        assertThat(Probability.oneOf(choices)).isEqualTo(Probability.threshold(new BigDecimal(written)));
        assertThat(Probability.text(Probability.oneOf(choices))).isEqualTo(listed);
        assertThat(Probability.threshold(new BigDecimal(listed))).isEqualTo(Probability.oneOf(choices));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 10, 99, 1000, 5000})
    void everyBackendIsEquallyLikely(int backends) {
        double left = 1;
        for (int i = 0; i < backends; i++) {
            int remaining = backends - i;
            double taken = remaining == 1 ? left : left * (Probability.oneOf(remaining) / 0x1p31);
            assertThat(taken).isCloseTo(1.0 / backends, within(1e-6));
            left -= taken;
        }
    }

    @Test
    void refusesInvalidProbability() {
        assertThatThrownBy(() -> Probability.oneOf(1)).hasMessage("no draw among 1");
        assertThatThrownBy(() -> Probability.threshold(BigDecimal.ONE)).hasMessageContaining("not in 0..1");
    }
}
