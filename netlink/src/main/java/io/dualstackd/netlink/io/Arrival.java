package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;

/** The result of receiving from a transport. */
public sealed interface Arrival {
    /** One datagram, split into its messages. */
    record Messages(List<NlMessage> messages) implements Arrival {
        public Messages {
            messages = List.copyOf(messages);
        }
    }

    /** The kernel dropped at least one datagram, because the receive buffer of the socket was full. */
    record Overrun() implements Arrival {}

    /** Nothing was received in the given time. */
    record Silence() implements Arrival {}
}
