package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.SoakTable.Seen;
import java.util.Optional;
import java.util.Random;

/** One fault from its beginning until everything agrees again. */
final class FaultRun {
    private static final long THROWN_NANOS = 45_000_000_000L;
    private static final long STIR_MILLIS = 1000;

    private FaultRun() {}

    /** @param brief as short as it may be */
    static Seen of(Testbed bed, Fault fault, Random random, boolean brief) throws Exception {
        Oracle oracle = bed.oracle();
        int restarts = bed.supervisor().restarts();
        oracle.fresh();
        ChildDaemon daemon = bed.daemon();
        int before = daemon.timesThrown();
        long began = System.nanoTime();
        fault.begin().on(bed, random);
        if (fault.isThrown()) {
            awaitThrown(bed, daemon, before);
        }
        Thread.sleep(brief ? fault.least() * 1000L : fault.millis(random));
        fault.end().on(bed, random);
        long ended = System.nanoTime();
        boolean agreed = oracle.awaitAgreement(ended, fault.back());
        String note = agreed ? "" : oracle.last().what() + "; health: " + oracle.healthReport();
        Optional<String> threw = daemon.timesThrown() == before ? Optional.empty() : daemon.threw();
        return new Seen(
                fault,
                (ended - began) / 1e9,
                oracle.worst(),
                threw.orElse(""),
                (System.nanoTime() - ended) / 1e9,
                agreed,
                bed.supervisor().restarts() - restarts,
                note);
    }

    /** Some loops begin anew every few seconds only, or when there is something to do. */
    private static void awaitThrown(Testbed bed, ChildDaemon daemon, int before) throws Exception {
        long end = System.nanoTime() + THROWN_NANOS;
        while (daemon.isAlive() && daemon.timesThrown() == before && System.nanoTime() < end) {
            Thread.sleep(STIR_MILLIS);
            if (daemon.timesThrown() == before) {
                bed.stir();
            }
        }
    }
}
