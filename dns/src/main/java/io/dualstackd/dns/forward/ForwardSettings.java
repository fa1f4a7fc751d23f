package io.dualstackd.dns.forward;

import java.time.Duration;
import java.util.List;

/**
 * Settings for answering questions about other names.
 *
 * @param nameservers queried in this order, until they are replaced; empty to refuse such questions
 * @param timeout of one attempt at one resolver
 * @param rounds how often each is queried
 * @param perClient concurrent queries for one client address
 * @param atOnce concurrent queries for all clients; each has a socket
 * @param cacheBytes size of the cached answers, approximately their heap size
 * @param longestTtl upper limit of the time an answer is cached
 * @param longestDenial upper limit of the time a negative answer is cached
 */
public record ForwardSettings(
        List<Nameserver> nameservers,
        Duration timeout,
        int rounds,
        int perClient,
        int atOnce,
        int cacheBytes,
        Duration longestTtl,
        Duration longestDenial) {
    public ForwardSettings {
        nameservers = List.copyOf(nameservers);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("a timeout of " + timeout + " is not positive");
        }
        if (rounds < 1 || perClient < 1 || atOnce < 1 || cacheBytes < 0) {
            throw new IllegalArgumentException("rounds " + rounds + ", questions of a client " + perClient
                    + " and at once " + atOnce + " must be 1 or more, bytes of the cache " + cacheBytes + " 0 or more");
        }
    }

    /** Two seconds and two rounds; 8 MiB are about 10,000 answers. */
    public static ForwardSettings defaults(List<Nameserver> nameservers) {
        return new ForwardSettings(
                nameservers, Duration.ofSeconds(2), 2, 100, 500, 8 << 20, Duration.ofHours(1), Duration.ofMinutes(5));
    }
}
