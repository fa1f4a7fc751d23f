package io.dualstackd.nodeaddr.io;

import java.time.Duration;

/**
 * How soon news are acted upon, and how often at most.
 *
 * @param quiet news are waited for that long after the last one: an interface that comes up tells five times. Looks are never closer
 * @param longest who never is quiet is looked at nevertheless, that long after the first news
 * @param again without any news everything is looked at after that long: the safety net behind the kernel's word
 * @param retry the first pause after a failure; it doubles up to {@code slowest}
 */
public record Debounce(Duration quiet, Duration longest, Duration again, Duration retry, Duration slowest) {
    public static final Debounce USUAL = new Debounce(
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMinutes(5),
            Duration.ofMillis(200),
            Duration.ofSeconds(10));
}
