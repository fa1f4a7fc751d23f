package io.dualstackd.kubeapi.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class NameIndexTest {
    private final NameIndex names = new NameIndex();

    @Test
    void aNameKeepsItsNumberUntilItIsRemoved() {
        int one = names.add("shop", "web");
        int other = names.add("web", "shop");
        assertThat(List.of(one, other)).containsExactly(0, 1);
        assertThat(names.find("shop", "web")).isEqualTo(one);
        assertThat(names.find("shop", "shop")).isNegative();
        names.remove(one);
        assertThat(names.find("shop", "web")).isNegative();
        assertThat(names.isUsed(one)).isFalse();
        assertThat(names.find("web", "shop")).isEqualTo(other);
        assertThat(names.add("shop", "api")).isEqualTo(one);
        assertThat(names.name(one)).isEqualTo("api");
        assertThat(names.namespace(one)).isEqualTo("shop");
        assertThat(names.size()).isEqualTo(2);
        assertThat(names.limit()).isEqualTo(2);
    }

    /** Beside a map: names come and go, and many collide in a small table. */
    @Test
    void itHoldsWhatAMapHolds() {
        Random random = new Random(1);
        Map<String, Integer> expected = new HashMap<>();
        int most = 0;
        for (int step = 0; step < 100_000; step++) {
            // First more and more of them, in the end hardly any.
            boolean growing = step < 50_000;
            String name = "service-" + random.nextInt(5000);
            if (random.nextInt(10) < (growing ? 8 : 2)) {
                int known = names.find("default", name);
                int number = known < 0 ? names.add("default", name) : known;
                Integer before = expected.put(name, number);
                assertThat(known).isEqualTo(before == null ? -1 : before);
            } else {
                Integer before = expected.remove(name);
                assertThat(names.find("default", name)).isEqualTo(before == null ? -1 : before);
                if (before != null) {
                    names.remove(before);
                }
            }
            most = Math.max(most, expected.size());
        }
        assertThat(expected).hasSizeBetween(500, 2000);
        expected.forEach((name, number) -> {
            assertThat(names.find("default", name)).isEqualTo(number);
            assertThat(names.name(number)).isEqualTo(name);
        });
        assertThat(new HashSet<>(expected.values())).hasSize(expected.size());
        assertThat(names.size()).isEqualTo(expected.size());
        assertThat(names.limit()).isLessThanOrEqualTo(most);
    }
}
