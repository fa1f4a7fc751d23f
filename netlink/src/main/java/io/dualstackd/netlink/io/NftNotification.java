package io.dualstackd.netlink.io;

import io.dualstackd.netlink.nft.NftChange;
import java.util.List;

/** What an {@link NftMonitor} hears. */
public sealed interface NftNotification {
    /** Things changed. A transaction ends with {@link NftChange.Committed} and may come in several of these. */
    record Changes(List<Heard> changes) implements NftNotification {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /** More changed than could be heard, and it is not known what: read again. */
    record Lost() implements NftNotification {}

    /** Nothing changed in the time given. */
    record Quiet() implements NftNotification {}

    /**
     * One change.
     *
     * @param portId of the socket that made it, see {@link NftClient#portId}
     */
    record Heard(int portId, NftChange change) {}
}
