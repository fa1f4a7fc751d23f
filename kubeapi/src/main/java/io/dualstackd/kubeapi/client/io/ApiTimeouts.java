package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.ReflectorState;
import java.time.Duration;

/**
 * How long to wait for the server.
 *
 * @param retries between attempts
 * @param firstByte for an answer to begin, and between two pieces of a list; the server itself gives up a list after 60 s
 * @param silence in a watch of a server whose bookmarks come each minute
 * @param watch the server shall end a watch after this time or up to twice as long; at least 1 s
 * @param quiet when nothing has come from an address for so long, it is asked whether it is there
 * @param probe for the answer to that
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

    /** How often it is looked whether something has been quiet for too long. */
    Duration looks() {
        return quiet.dividedBy(5);
    }
}
