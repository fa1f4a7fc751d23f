package io.dualstackd.netlink.io;

import io.dualstackd.netlink.nft.NftChange;
import java.util.List;

/** A notification received by an {@link NftMonitor}. */
public sealed interface NftNotification {
    /** Objects changed. A transaction ends with {@link NftChange.Committed} and may be split over several of these. */
    record Changes(List<Heard> changes) implements NftNotification {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /** More changed than could be received, and it is not known what: the rule set must be read again. */
    record Lost() implements NftNotification {}

    /** Nothing changed in the given time. */
    record Quiet() implements NftNotification {}

    /**
     * One change.
     *
     * @param portId of the socket that made it, see {@link NftClient#portId}
     */
    record Heard(int portId, NftChange change) {}
}
