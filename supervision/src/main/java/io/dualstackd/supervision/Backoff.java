package io.dualstackd.supervision;

import java.time.Duration;

/**
 * How long to wait after failure number {@code n}: doubling from {@code first} up to {@code max}.
 */
public record Backoff(Duration first, Duration max) {
    /** @param failures failures in a row, 1 or more */
    public Duration after(int failures) {
        int doublings = Math.min(failures - 1, 30);
        long millis = first.toMillis() << doublings;
        return millis <= 0 || millis > max.toMillis() ? max : Duration.ofMillis(millis);
    }
}
