package io.dualstackd.dataplane.rules.iptables;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The numbers of {@code -m statistic --mode random}: the kernel draws 31 random bits and matches when they are below a threshold.
 *
 * <p>kube-proxy writes a probability as text with ten decimals, and iptables converts that text into the threshold. This class does the
 * same two roundings, so that rules found after kube-proxy compare equal and a take-over rewrites nothing.
 */
public final class Probability {
    private static final double FULL = 0x1p31;
    /** Ten decimals. */
    private static final double WRITTEN_UNIT = 1e10;

    private static final int LISTED_DECIMALS = 11;

    private Probability() {}

    /**
     * The threshold for one of {@code choices} equally likely backends.
     *
     * @param choices 2 or more; the last backend of a list is taken without a draw
     */
    public static int oneOf(int choices) {
        if (choices < 2) {
            throw new IllegalArgumentException("no draw among " + choices);
        }
        // Both divisions round to the nearest double, so this is the printed decimal, without its text.
        return threshold(Math.rint(WRITTEN_UNIT / choices) / WRITTEN_UNIT);
    }

    /** The threshold iptables computes from a probability below 1 given as text: 0.3333333333 becomes 715827883. */
    public static int threshold(BigDecimal probability) {
        return threshold(probability.doubleValue());
    }

    private static int threshold(double probability) {
        long threshold = Math.round(FULL * probability);
        if (threshold < 0 || threshold >= FULL) {
            throw new IllegalArgumentException("probability " + probability + " is not in 0..1, 1 excluded");
        }
        return (int) threshold;
    }

    /** The text iptables prints for a threshold: 715827883 is {@code 0.33333333349}. */
    public static String text(int threshold) {
        return new BigDecimal(threshold / FULL)
                .setScale(LISTED_DECIMALS, RoundingMode.HALF_EVEN)
                .toPlainString();
    }
}
