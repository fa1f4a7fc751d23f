package io.dualstackd.standalone.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PortPoolTest {
    private final Random random = new Random(11);

    @ParameterizedTest(name = "of {0} ports the first {1} are static")
    @CsvSource({"10,0", "16,0", "128,16", "2048,64", "2768,86", "4096,128", "8192,128"})
    void bands(int size, int statics) {
        assertThat(PortPool.staticSize(size)).isEqualTo(statics);
    }

    @Test
    void theDefaultRangeLeavesItsFirst86PortsToThoseWhoNameOne() {
        PortPool pool = new PortPool(30_000, 32_767);
        Set<Integer> taken = new HashSet<>();
        for (int i = 0; i < 2_682; i++) {
            taken.add(pool.take(random).orElseThrow());
        }
        assertThat(taken).hasSize(2_682).allMatch(port -> port >= 30_086 && port <= 32_767);
        assertThat(pool.take(30_005)).isTrue();
        assertThat(pool.take(30_005)).isFalse();
        for (int i = 0; i < 85; i++) {
            assertThat(taken.add(pool.take(random).orElseThrow())).isTrue();
        }
        assertThat(pool.take(random)).isEqualTo(OptionalInt.empty());
        assertThat(pool.free()).isZero();
        pool.giveBack(31_000);
        assertThat(pool.take(random)).hasValue(31_000);
    }

    @Test
    void aPortOutsideTheRangeIsNotItsBusiness() {
        PortPool pool = new PortPool(30_000, 30_009);
        assertThat(pool.contains(30_010)).isFalse();
        assertThat(pool.isUsed(30_010)).isFalse();
        assertThatThrownBy(() -> pool.take(30_010)).hasMessage("port 30010 is not within 30000-30009");
        assertThatThrownBy(() -> new PortPool(0, 5)).hasMessageContaining("no range within 1-65535");
    }
}
