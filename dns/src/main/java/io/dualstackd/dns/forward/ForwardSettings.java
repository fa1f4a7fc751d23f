package io.dualstackd.dns.forward;

import java.time.Duration;
import java.util.List;

/**
 * How questions about other names are answered.
 *
 * @param nameservers asked in this order, until others are given; empty to refuse such questions
 * @param timeout how long one resolver may take for one attempt
 * @param rounds how often each is asked
 * @param perClient questions of one client address that are being asked at a time
 * @param atOnce questions of all clients that are being asked at a time; each has a socket
 * @param cacheBytes of remembered answers, about what they take of the heap
 * @param longestTtl how long an answer is remembered, whatever it says
 * @param longestDenial how long it is remembered that there is no such name
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
