package io.dualstackd.bench.scale;

import java.time.Duration;

/**
 * How often a row is measured: as often as fits into a time budget, within limits.
 *
 * @param rivals rounds in which the usual program is measured as well
 */
record Rounds(int atLeast, int atMost, Duration budget, int rivals) {
    /** Whether there is another round after {@code done} of them. */
    boolean goOn(int done, long startNanos) {
        return done < atLeast || (done < atMost && System.nanoTime() - startNanos < budget.toNanos());
    }
}
