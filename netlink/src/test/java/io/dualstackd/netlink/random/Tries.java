package io.dualstackd.netlink.random;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Runs a check many times, each time with other input, and names the seed of the run that failed. */
public final class Tries {
    /** The system property that repeats one run. */
    static final String SEED = "dualstackd.seed";

    private Tries() {}

    /** A check of one run. */
    @FunctionalInterface
    public interface Check {
        void run(Draw draw) throws Exception;
    }

    /**
     * Runs {@code check} as often as {@code tries} says, or once if the system property {@code dualstackd.seed} is set.
     *
     * @throws AssertionError for the first run that fails, with its seed
     */
    public static void of(int tries, Check check) {
        String repeated = System.getProperty(SEED);
        if (repeated != null) {
            run(Long.parseLong(repeated), "the only run", check);
            return;
        }
        RandomGenerator seeds = RandomGenerator.getDefault();
        for (int i = 1; i <= tries; i++) {
            run(seeds.nextLong(), "run " + i + " of " + tries, check);
        }
    }

    private static void run(long seed, String which, Check check) {
        @Nullable Throwable failure = null;
        try {
            check.run(new Draw(seed));
        } catch (Exception | AssertionError | StackOverflowError e) {
            failure = e;
        }
        if (failure != null) {
            throw new AssertionError(
                    which + " failed, -D" + SEED + "=" + seed + " repeats it: " + failure.getMessage(), failure);
        }
    }
}
