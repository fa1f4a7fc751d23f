package io.dualstackd.dns.io;

import java.time.Duration;

/** Supervises the server's thread. Called on the thread {@code dns}; must return at once. */
public interface DnsSupervision {
    /** The thread works; the next call follows after {@link #every}. */
    void beat();

    /** The interval of the calls of {@link #beat}. */
    Duration every();

    /** A change of the names was not applied: all Services must be given to {@link DnsServer#apply} again. */
    default void incomplete() {}

    /** An {@code Error} was thrown, for example for lack of memory: the thread can no longer be relied on. */
    void failed(Error error);

    /** For a server that is not supervised. */
    DnsSupervision NONE = new DnsSupervision() {
        @Override
        public void beat() {}

        @Override
        public Duration every() {
            return Duration.ofSeconds(10);
        }

        @Override
        public void failed(Error error) {
            throw error;
        }
    };
}
