package io.dualstackd.kubeapi.print;

import java.time.Duration;
import java.time.Instant;

/** Formats an age as {@code kubectl} does. */
public final class Age {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private Age() {}

    /** One or two units, the smaller one only for small values: {@code 45s}, {@code 3m20s}, {@code 5h30m}, {@code 12d}. */
    public static String between(Instant from, Instant now) {
        long seconds = Math.max(0, Duration.between(from, now).toSeconds());
        if (seconds < 2 * MINUTE) {
            return seconds + "s";
        } else if (seconds < 10 * MINUTE) {
            return two(seconds / MINUTE, "m", seconds % MINUTE, "s");
        } else if (seconds < 3 * HOUR) {
            return seconds / MINUTE + "m";
        } else if (seconds < 8 * HOUR) {
            return two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m");
        } else if (seconds < 2 * DAY) {
            return seconds / HOUR + "h";
        } else if (seconds < 8 * DAY) {
            return two(seconds / DAY, "d", seconds % DAY / HOUR, "h");
        } else if (seconds < 2 * YEAR) {
            return seconds / DAY + "d";
        }
        return seconds < 8 * YEAR ? two(seconds / YEAR, "y", seconds % YEAR / DAY, "d") : seconds / YEAR + "y";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : small + smallUnit);
    }
}
