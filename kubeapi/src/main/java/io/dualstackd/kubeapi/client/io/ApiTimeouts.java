package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.ListWatchRequest;
import io.dualstackd.kubeapi.client.ReflectorState;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Timeouts for the API server.
 *
 * @param retries between attempts
 * @param firstByte for a response to begin, and between two pieces of a list; the server itself gives up a list after 60 s
 * @param silence in a watch of a server whose bookmarks come each minute
 * @param watch the server ends a watch after this time or up to twice as long; at least 1 s
 * @param quiet time without bytes from an address after which a probe is sent to it
 * @param probe for the response to the probe
 */
record ApiTimeouts(
        ReflectorState.Waits retries,
        Duration firstByte,
        Duration silence,
        Duration watch,
        Duration quiet,
        Duration probe) {
    static final ApiTimeouts USUAL = new ApiTimeouts(
            ReflectorState.Waits.USUAL,
            Duration.ofSeconds(60),
            Duration.ofSeconds(90),
            Duration.ofMinutes(5),
            Duration.ofSeconds(25),
            Duration.ofSeconds(15));

    /**
     * The time a response may be silent once it has begun.
     *
     * @param bookmarks the server is known to send them
     * @param timeout after which the server ends a watch, in seconds
     */
    Duration silence(ListWatchRequest listWatchRequest, boolean bookmarks, int timeout) {
        if (!(listWatchRequest instanceof ListWatchRequest.Watch)) {
            return firstByte;
        }
        return bookmarks ? silence : silence.plusSeconds(timeout);
    }

    /** After how many seconds the server is to end a watch: random, so that not all watches end at once. */
    int watchSeconds(RandomGenerator random) {
        long shortest = watch.toSeconds();
        return (int) (shortest + random.nextLong(shortest + 1));
    }

    /** The interval of the checks whether an address has been quiet for too long. */
    Duration checkPeriod() {
        return quiet.dividedBy(5);
    }
}
