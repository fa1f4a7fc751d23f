package io.dualstackd.dataplane.churn;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Six thousand random steps of nftables mode, half of them in each family; ten times as many with {@code bin/verify --faults}. {@code
 * -Dchurn.seed=…} makes another run, {@code -Dchurn.steps=…} a longer one; the same seed repeats the same run.
 */
@Tag("kernel")
class ChurnTest {
    private static final long SEED = Long.getLong("churn.seed", 1664);
    private static final int STEPS = Integer.getInteger("churn.steps", 3_000);

    @Test
    void theKernelAlwaysHoldsWhatIsWanted() throws Exception {
        try (ExecutorService runs = Executors.newFixedThreadPool(IpFamily.values().length)) {
            List<Future<String>> running = new ArrayList<>();
            for (IpFamily family : IpFamily.values()) {
                running.add(runs.submit(() -> ChurnRun.run(family, SEED, STEPS)));
            }
            for (Future<String> run : running) {
                assertThat(run.get()).as("runs of seed %d", SEED).contains(STEPS + " steps");
            }
        }
    }
}
