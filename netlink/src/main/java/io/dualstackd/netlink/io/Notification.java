package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;

/** What a subscription hears. */
public sealed interface Notification {
    /** Things changed; one kernel transaction may come in several of these. */
    record Changes(List<NlMessage> messages) implements Notification {
        public Changes {
            messages = List.copyOf(messages);
        }
    }

    /** More changed than the receive buffer could hold, and it is not known what: list again. */
    record Lost() implements Notification {}

    /** Nothing changed in the time given. */
    record Quiet() implements Notification {}
}
