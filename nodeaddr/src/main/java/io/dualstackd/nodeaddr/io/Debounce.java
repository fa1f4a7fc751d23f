package io.dualstackd.nodeaddr.io;

import java.time.Duration;

/**
 * Delays between a change of the host and reading it.
 *
 * @param quiet the wait after the last notification: an interface that comes up causes five of them. Reads are never closer together
 * @param longest the longest wait after the first notification, when they do not stop
 * @param again the interval of full reads without any notification, in case the kernel's notifications were incomplete
 * @param retry the first wait after a failure; it doubles up to {@code slowest}
 */
public record Debounce(Duration quiet, Duration longest, Duration again, Duration retry, Duration slowest) {
    public static final Debounce USUAL = new Debounce(
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMinutes(5),
            Duration.ofMillis(200),
            Duration.ofSeconds(10));
}
