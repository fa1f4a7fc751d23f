package io.dualstackd.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CpuListTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    0       | 1
                    0-1     | 2
                    0-3,8   | 5
                    0-3,8-9 | 6
                    x       |
                    0-      |
                    """)
    void count(String list, Integer expected) {
        assertThat(CpuList.count(list + "\n")).isEqualTo(Optional.ofNullable(expected));
    }
}
