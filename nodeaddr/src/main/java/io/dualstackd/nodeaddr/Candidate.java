package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.Optional;

/**
 * An address considered by detection.
 *
 * @param text the address with the place it was found at, for messages
 * @param objection why it may not be chosen
 * @param reason why it has this place in the order, half a sentence
 */
record Candidate(Ip ip, String text, Optional<String> objection, String reason) {
    /** Returns the same candidate with the objection {@code why}, unless it has one already. */
    Candidate but(String why) {
        return new Candidate(ip, text, objection.or(() -> Optional.of(why)), reason);
    }
}
