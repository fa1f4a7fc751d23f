package io.dualstackd.dns.io;

import java.time.Duration;

/** How the server shows that it lives. Called on the thread {@code dns}; must return at once. */
public interface DnsSupervision {
    /** The thread works; the next beat follows after {@link #every}. */
    void beat();

    /** How often to beat. */
    Duration every();

    /** Something that is no exception was thrown, as for want of memory: the thread cannot be relied on any more. */
    void failed(Error error);

    /** Of a server that is not supervised. */
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
