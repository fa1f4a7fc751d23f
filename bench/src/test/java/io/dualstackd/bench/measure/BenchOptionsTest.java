package io.dualstackd.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.bench.measure.BenchOptions.What;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BenchOptionsTest {
    private static BenchOptions read(String line) throws BenchOptions.Wrong {
        return BenchOptions.read(List.of(line.split(" ", -1)));
    }

    @Test
    void readsWhatAMeasurementTakes() throws BenchOptions.Wrong {
        BenchOptions options = read("--write --mode iptables daemon 100 200");
        assertThat(options.what()).isEqualTo(What.DAEMON);
        assertThat(options.modes()).containsExactly(Mode.IPTABLES);
        assertThat(options.sizes()).containsExactly(100, 200);
        assertThat(read("100").what()).isEqualTo(What.SCALE);
    }

    @Test
    void refusesWhatWouldBeIgnored() {
        for (String ignored : List.of("pods", "ledger", "cluster", "idle", "dns")) {
            assertThatThrownBy(() -> read("--mode iptables " + ignored))
                    .isInstanceOf(BenchOptions.Wrong.class)
                    .hasMessage("--mode is not for " + ignored);
        }
        assertThatThrownBy(() -> read("latency 500")).hasMessage("latency has sizes of its own");
        assertThatThrownBy(() -> read("cluster idle")).hasMessage("one measurement at a time: [cluster, idle]");
    }

    /** A report says how it was made, so that another run can be compared with it. */
    @Test
    void theCommandMakesTheSameReport() throws BenchOptions.Wrong {
        assertThat(read("daemon").command()).isEqualTo("bin/bench --write daemon");
        assertThat(read("--mode nftables --quick daemon 50").command())
                .isEqualTo("bin/bench --write --quick --mode nftables daemon 50");
        assertThat(read("cluster 100 1000").command()).isEqualTo("bin/bench --write cluster 100 1000");
    }
}
