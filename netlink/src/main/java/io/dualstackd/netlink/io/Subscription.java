package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.List;

/** Hears what changes in the kernel, from the moment it is opened. For one listening thread; closed from any. */
public final class Subscription implements AutoCloseable {
    private final NlTransport transport;

    /** @param transport a socket that has joined its groups ({@link NlSocket#join}) and is used for nothing else */
    public Subscription(NlTransport transport) {
        this.transport = transport;
    }

    /**
     * Waits for the next notice.
     *
     * @throws NetlinkException.Closed when another thread closes the subscription
     */
    public Notification next() throws NetlinkException {
        return next(NlTransport.FOREVER);
    }

    /**
     * Waits for the next notice, at most {@code timeout}; zero returns at once.
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
