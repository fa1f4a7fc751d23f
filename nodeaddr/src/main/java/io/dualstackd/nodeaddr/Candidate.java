package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.Optional;

/**
 * An address detection looks at.
 *
 * @param text with the place it was found at, for people
 * @param objection why it may not be chosen
 * @param reason why it comes at this place, half a sentence
 */
record Candidate(Ip ip, String text, Optional<String> objection, String reason) {
    /** The same, not to be chosen for {@code why} unless there is an objection already. */
    Candidate but(String why) {
        return new Candidate(ip, text, objection.or(() -> Optional.of(why)), reason);
    }
}
