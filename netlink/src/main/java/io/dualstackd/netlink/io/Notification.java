package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;

/** A notification received by a subscription. */
public sealed interface Notification {
    /** Objects changed; one kernel transaction may be split over several of these. */
    record Changes(List<NlMessage> messages) implements Notification {
        public Changes {
            messages = List.copyOf(messages);
        }
    }

    /** More changed than the receive buffer could hold, and it is not known what: the objects must be listed again. */
    record Lost() implements Notification {}

    /** Nothing changed in the given time. */
    record Quiet() implements Notification {}
}
