package io.dualstackd.agent.faults;

import java.util.Random;

/**
 * Something that goes wrong, and ends.
 *
 * @param name in words, for tables
 * @param least seconds it lasts, as a rule
 * @param most seconds it lasts
 * @param back seconds after its end within which the kernel must hold what is wanted and health must say so
 */
record Fault(String name, int least, int most, int back, Action begin, Action end) {
    /** Without a better reason. */
    static final int BACK_SECONDS = 60;

    private static final Action NOTHING = (bed, random) -> {};

    /** Does something to the testbed. */
    interface Action {
        void on(Testbed bed, Random random) throws Exception;
    }

    static Fault lasting(String name, int least, int most, Action begin, Action end) {
        return new Fault(name, least, most, BACK_SECONDS, begin, end);
    }

    /** Over as soon as it has begun. */
    static Fault sudden(String name, Action what) {
        return new Fault(name, 0, 0, BACK_SECONDS, what, NOTHING);
    }

    /** Whether the daemon is another process afterwards. */
    boolean endsProcess() {
        return name.contains("killed") || name.contains("heap") || name.contains("Error in ");
    }

    /** Whether it is over only after something was thrown in the daemon. */
    boolean isThrown() {
        return name.contains(" in ");
    }

    long millis(Random random) {
        return least * 1000L + (most > least ? random.nextInt((most - least) * 1000) : 0);
    }
}
