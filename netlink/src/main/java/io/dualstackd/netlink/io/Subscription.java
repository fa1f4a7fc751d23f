package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.List;

/** Receives changes from the kernel, from the moment it is opened. For one receiving thread; may be closed from any. */
public final class Subscription implements AutoCloseable {
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
