package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * SIGKILL at random moments during a stream of changes: what is in the kernel is always some whole transaction, and the next start
 * completes it. Each run has a seed of its own; to play it again: {@code -Ddualstackd.kill.seed=…} (the moments still depend on the
 * machine). {@code bin/verify --faults} kills 400 times.
 */
@Tag("kernel")
final class KillTest {
    private static final int KILLS = Integer.getInteger("dualstackd.kills", 24);
    private static final int LANES = 2;

    @TempDir
    private static Path folder;

    private static Launch launch;

    @BeforeAll
    static void prepare() throws Exception {
        launch = QuickLaunch.prepared(folder);
    }

    @ParameterizedTest
    @EnumSource
    void killedManyTimesNothingIsEverHalfWritten(ListedMode mode) throws Exception {
        long seed = Long.getLong("dualstackd.kill.seed", System.nanoTime());
        System.out.println("kill test: " + mode.flag() + " seed " + seed);
        Variants variants = Variants.learn(folder, launch, mode);
        assertThatNoLineMayBeMissing(variants);
        List<String> events = new ArrayList<>();
        try (ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
            List<Future<String>> runs = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                Path its = folder.resolve(mode.flag() + "-lane-" + lane);
                long laneSeed = seed + lane;
                runs.add(lanes.submit(() -> new KillLoop(its, launch, mode, variants, laneSeed).run(KILLS / LANES)));
            }
            for (Future<String> run : runs) {
                events.add(run.get());
            }
        }
        System.out.println("kill test: " + events);
        assertThat(events).hasSize(LANES);
    }

    /** Tests the check itself, or the kills would prove nothing. */
    private static void assertThatNoLineMayBeMissing(Variants variants) {
        for (IpFamily family : IpFamily.values()) {
            Listing whole = variants.of(family, 0);
            assertThat(variants.identify(family, whole)).containsOnly(0);
            for (String name : whole.services().keySet()) {
                List<String> lines = Objects.requireNonNull(whole.services().get(name));
                for (int line = 0; line < lines.size(); line++) {
                    Map<String, List<String>> services = new TreeMap<>(whole.services());
                    List<String> rest = new ArrayList<>(lines);
                    rest.remove(line);
                    services.put(name, rest);
                    assertThatThrownBy(() -> variants.identify(family, new Listing(services, whole.frame())))
                            .isInstanceOf(AssertionError.class);
                }
            }
            assertThatThrownBy(() -> variants.identify(
                            family,
                            new Listing(
                                    whole.services(),
                                    whole.frame().subList(1, whole.frame().size()))))
                    .isInstanceOf(AssertionError.class);
        }
    }
}
