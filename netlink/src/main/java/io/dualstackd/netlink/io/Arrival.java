package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;

/** What came out of a transport. */
public sealed interface Arrival {
    /** One datagram, split into its messages. */
    record Messages(List<NlMessage> messages) implements Arrival {
        public Messages {
            messages = List.copyOf(messages);
        }
    }

    /** The kernel had to drop at least one datagram for us, because our receive buffer was full. */
    record Overrun() implements Arrival {}

    /** Nothing came in the time given. */
    record Silence() implements Arrival {}
}
