package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.List;

/** Receives changes from the kernel, from the moment it is opened. For one receiving thread; may be closed from any. */
public final class Subscription implements AutoCloseable {
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

    private final NlTransport transport;

    /** @param transport a socket that has joined its groups ({@link NlSocket#join}) and is used for nothing else */
    public Subscription(NlTransport transport) {
        this.transport = transport;
    }

    /**
     * Waits for the next notification.
     *
     * @throws NetlinkException.Closed when another thread closes the subscription
     */
    public Notification next() throws NetlinkException {
        return next(NlTransport.FOREVER);
    }

    /**
     * Waits for the next notification, at most {@code timeout}; zero returns at once.
     *
     * @throws NetlinkException.Closed when another thread closes the subscription
     */
    public Notification next(Duration timeout) throws NetlinkException {
        return switch (transport.receive(timeout)) {
            case Arrival.Messages(List<NlMessage> messages) -> new Notification.Changes(messages);
            case Arrival.Overrun ignored -> new Notification.Lost();
            case Arrival.Silence ignored -> new Notification.Quiet();
        };
    }

    @Override
    public void close() {
        transport.close();
    }
}
