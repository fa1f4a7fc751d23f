package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConntrackTest {
    private static Conntrack conntrack(int min, int perCore) {
        return new Conntrack(perCore, min, Duration.ZERO, Duration.ZERO, false, Duration.ZERO, Duration.ZERO);
    }

    @ParameterizedTest(name = "min {0}, {1} per core, {2} cores → {3}")
    @CsvSource({
        "0, 0, 1, 0",
        "0, 0, 512, 0",
        "1, 67890, 1, 67890",
        "1, 67890, 4, 271560",
        "1, 67890, 16, 1048576",
        "123456, 1, 8, 123456",
        "123456, 0, 8, 0",
        "0, 32768, 512, 1048576",
        "2000000, 32768, 512, 1048576",
        "2000000, 32768, 4, 2000000",
        "131072, 32768, 2, 131072",
        "0, 2147483647, 512, 1048576"
    })
    void max(int min, int perCore, int cores, long expected) {
        assertThat(conntrack(min, perCore).max(cores))
                .isEqualTo(expected == 0 ? Optional.empty() : Optional.of(expected));
    }

    @Test
    void zeroLeavesTheKernelAlone() {
        assertThat(conntrack(5, 5).settings()).isEmpty();
    }

    @Test
    void everythingElse() {
        Conntrack all = new Conntrack(
                0, 0, Duration.ofHours(24), Duration.ofHours(1), true, Duration.ofMillis(300), Duration.ofMinutes(3));
        assertThat(all.settings())
                .isEqualTo(Map.of(
                        "net/netfilter/nf_conntrack_tcp_timeout_established", "86400",
                        "net/netfilter/nf_conntrack_tcp_timeout_close_wait", "3600",
                        "net/netfilter/nf_conntrack_tcp_be_liberal", "1",
                        "net/netfilter/nf_conntrack_udp_timeout", "1",
                        "net/netfilter/nf_conntrack_udp_timeout_stream", "180"));
        assertThat(all.settings().keySet())
                .allSatisfy(setting -> assertThat(Conntrack.keyOf(setting).path())
                        .startsWith("conntrack.")
                        .doesNotContain("max"));
    }
}
