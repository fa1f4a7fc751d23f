package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a subscription received: {@link RouteSubscription}, {@link NftMonitor}.
 *
 * @param <T> a change of one object
 */
public sealed interface Notification<T> {
    /** Objects changed; one kernel transaction may be split over several of these. */
    record Changes<T>(List<T> changes) implements Notification<T> {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /** More changed than the receive buffer could hold, and it is not known what: the objects must be listed again. */
    record Lost<T>() implements Notification<T> {}

    /** Nothing changed in the given time. */
    record Quiet<T>() implements Notification<T> {}

    /** Receives the next one, see {@link NlTransport#receive}. */
    static <T> Notification<T> receive(
            NlTransport transport, Duration timeout, String operation, NetlinkConnection.Decoder<T> decoder)
            throws NetlinkException {
        return switch (transport.receive(timeout)) {
            case Arrival.Messages(List<NlMessage> messages) -> {
                List<T> changes = new ArrayList<>(messages.size());
                try {
                    for (NlMessage message : messages) {
                        changes.add(decoder.decode(message));
                    }
                } catch (DecodeException e) {
                    throw new NetlinkException.Malformed(operation, e);
                }
                yield new Changes<>(changes);
            }
            case Arrival.Overrun ignored -> new Lost<>();
            case Arrival.Silence ignored -> new Quiet<>();
        };
    }
}
