package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;

/**
 * Carries datagrams to the kernel and back; {@link NlSocket} does it in earnest. One thread at a time sends and receives;
 * {@link #close} may come from any.
 */
public interface NlTransport extends AutoCloseable {
    /**
     * Sends everything the writer holds as one datagram. When it returns, the kernel has processed it (but for dumps, which it
     * continues as they are read), and the answers wait to be received.
     */
    void send(NlWriter writer) throws NetlinkException;

    /**
     * The next datagram.
     *
     * @param timeout zero returns at once, {@link #FOREVER} waits for ever
     * @throws NetlinkException.Closed when the transport is closed before or while waiting
     */
    Arrival receive(Duration timeout) throws NetlinkException;

    /** No limit for {@link #receive}. */
    Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    /**
     * From now on also receives what the kernel tells a multicast group, as far as {@code wanted} keeps it. A transport that listens
     * is used for nothing else. One that wraps another passes this on.
     *
     * @param receiveBuffer bytes of news the kernel may keep for us; more are an {@link Arrival.Overrun}
     * @throws UnsupportedOperationException when there is no kernel behind it that tells anything
     */
    default void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
        throw new UnsupportedOperationException(getClass() + " hears no news");
    }

    /** What the kernel writes into the header of its answers; tells our own changes from foreign ones in notifications. */
    int portId();

    /** Ends a {@link #receive} under way in another thread. Does nothing when closed already. */
    @Override
    void close();
}
