package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments during a stream of changes: what is in the kernel is always some whole transaction, and the next start
 * completes it. To play a run again: {@code -Ddualstackd.kill.seed=…} (the moments still depend on the machine).
 */
final class KillTest {
    private static final int KILLS = 200;
    private static final int LANES = 2;

    @TempDir
    private Path folder;

    @Test
    void killedTwoHundredTimesNothingIsEverHalfWritten() throws Exception {
        long seed = Long.getLong("dualstackd.kill.seed", System.nanoTime());
        System.out.println("kill test: seed " + seed);
        Launch launch = QuickLaunch.prepared(folder);
        Variants variants = Variants.learn(folder, launch);
        List<String> told = new ArrayList<>();
        try (ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
            List<Future<String>> runs = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                Path its = folder.resolve("lane-" + lane);
                long laneSeed = seed + lane;
                runs.add(lanes.submit(() -> new KillLane(its, launch, variants, laneSeed).run(KILLS / LANES)));
            }
            for (Future<String> run : runs) {
                told.add(run.get());
            }
        }
        System.out.println("kill test: " + told);
        assertThat(told).hasSize(LANES);
    }
}
