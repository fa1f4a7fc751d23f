package io.dualstackd.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodCidrsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                             | ''
        10.244.1.0/24                  | 10.244.1.0/24
        fd00:244:1::/64                | fd00:244:1::/64
        10.244.1.0/24,fd00:244:1::/64  | 10.244.1.0/24,fd00:244:1::/64
        fd00:244:1::/64, 10.244.1.0/24 | fd00:244:1::/64,10.244.1.0/24
        10.244.1.7/24                  | 10.244.1.0/24
        """)
    void oneOrTwoNetworks(String text, String cidrs) {
        assertThat(PodCidrs.parse(text)).hasToString(cidrs);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10.0.0.0/24,10.0.1.0/24                    | two networks must be one of each IP family; both are IPv4
        fd00::/64,fd01::/64                        | two networks must be one of each IP family; both are IPv6
        10.0.0.0/24,fd00::/64,10.0.1.0/24          | at most two networks, one per IP family; these are 3
        10.0.0.0                                   | no "/" and prefix length
        10.0.0.0/24,                               | "" is not a network
        10.0.0.0/33                                | the prefix length must be 0 to 32
        010.0.0.0/24                               | leading zeros
        """)
    void anythingElseNamesTheRule(String text, String rule) {
        assertThatThrownBy(() -> PodCidrs.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text)
                .hasMessageContaining(rule);
    }
}
