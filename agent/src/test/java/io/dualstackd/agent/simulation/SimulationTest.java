package io.dualstackd.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.sys.NetNs;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole daemon, one thread at a time and in virtual time, through an outage and lost notifications. */
@Timeout(120)
final class SimulationTest {
    private static final Logger ROOT = Logger.getLogger("");
    private static final Level BEFORE = ROOT.getLevel();

    /** The daemon would log a thousand changes. */
    @BeforeAll
    static void logNothing() {
        ROOT.setLevel(Level.OFF);
    }

    @AfterAll
    static void logAgain() {
        ROOT.setLevel(BEFORE);
    }

    private static SimulationRun.Result run(long seed) throws Exception {
        try (NetNs unused = NetNs.current()) {
            return new SimulationRun(seed, unused).run();
        }
    }

    @Test
    void rulesAreRightEachSecondOrStatusReportsAProblem() throws Exception {
        SimulationRun.Result result = run(1);
        assertThat(result.wrong()).isEmpty();
        assertThat(result.alive()).isEmpty();
        assertThat(result.degradedSeconds()).isBetween(10L, 25L);
        assertThat(result.transactions()).isGreaterThan(500);
        assertThat(result.writtenByRestart()).isZero();
    }

    @Test
    void aSeedAlwaysLeadsToTheSameRun() throws Exception {
        SimulationRun.Result first = run(7);
        SimulationRun.Result second = run(7);
        SimulationRun.Result other = run(8);
        assertThat(second).isEqualTo(first);
        assertThat(other.trace()).isNotEqualTo(first.trace());
    }

    @Test
    @Tag("slow")
    void otherSeedsAreRightToo() throws Exception {
        for (long seed = 100; seed < 120; seed++) {
            SimulationRun.Result result = run(seed);
            assertThat(result.wrong()).as("seed " + seed).isEmpty();
            assertThat(result.alive()).as("seed " + seed).isEmpty();
        }
    }
}
