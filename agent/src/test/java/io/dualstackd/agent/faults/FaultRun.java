package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.SoakTable.Seen;
import java.util.Optional;
import java.util.Random;

/** One fault from its beginning until everything agrees again. */
final class FaultRun {
    private FaultRun() {}

    /** @param brief as short as it may be */
    static Seen of(Testbed bed, Fault fault, Random random, boolean brief) throws Exception {
        Oracle oracle = bed.oracle();
        int restarts = bed.supervisor().restarts();
        oracle.fresh();
        ChildDaemon daemon = bed.daemon();
        Optional<String> before = daemon.threw();
        long began = System.nanoTime();
        fault.begin().on(bed, random);
        Thread.sleep(brief ? fault.least() * 1000L : fault.millis(random));
        fault.end().on(bed, random);
        long ended = System.nanoTime();
        boolean agreed = oracle.awaitAgreement(ended, fault.back());
        String note = agreed ? "" : oracle.last().what() + "; health: " + oracle.said();
        Optional<String> threw = daemon.threw();
        return new Seen(
                fault,
                (ended - began) / 1e9,
                oracle.worst(),
                threw.equals(before) ? "" : threw.orElse(""),
                (System.nanoTime() - ended) / 1e9,
                agreed,
                bed.supervisor().restarts() - restarts,
                note);
    }
}
