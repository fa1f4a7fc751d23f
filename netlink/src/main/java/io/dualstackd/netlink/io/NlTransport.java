package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.Collection;

/**
 * Carries datagrams to the kernel and back; {@link NlSocket} is the real implementation. One thread at a time sends and receives; {@link
 * #close} may be called from any.
 */
public interface NlTransport extends AutoCloseable {
    /**
     * Sends everything the writer holds as one datagram. When it returns, the kernel has processed it (but for dumps, which it
     * continues as they are read), and the answers wait to be received.
     */
    void send(NlWriter writer) throws NetlinkException;

    /**
     * Receives the next datagram.
     *
     * @param timeout zero returns at once, {@link #FOREVER} waits without a limit
     * @throws NetlinkException.Closed when the transport is closed before or while waiting
     */
    Arrival receive(Duration timeout) throws NetlinkException;

    /** No limit for {@link #receive}. */
    Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    /**
     * Also receives from now on the notifications of a multicast group, as far as {@code wanted} keeps them. A transport with a group must
     * be used for nothing else. One that wraps another passes this on.
     *
     * @param receiveBuffer bytes of notifications the kernel may queue; more are an {@link Arrival.Overrun}
     * @throws UnsupportedOperationException when there is no kernel behind it that sends notifications
     */
    default void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
        throw new UnsupportedOperationException(getClass() + " has no notifications");
    }

    /**
     * Joins a multicast group, as {@link #listen} does.
     *
     * @throws UnsupportedOperationException when there is no kernel behind it that sends notifications
     */
    default void join(int group) throws NetlinkException {
        throw new UnsupportedOperationException(getClass() + " has no notifications");
    }

    /**
     * Returns from now on only the messages that {@code wanted} keeps; the others are inspected but not copied. To be called by the
     * receiving thread.
     *
     * @throws UnsupportedOperationException when it does not select messages
     */
    default void receiveOnly(MessageFilter wanted) {
        throw new UnsupportedOperationException(getClass() + " selects no messages");
    }

    /**
     * Makes the kernel drop notifications that begin with a message caused by one of these sockets, if it can. Replaces the previous set;
     * may be called from any thread.
     */
    default void leaveOut(Collection<Integer> portIds) throws NetlinkException {}

    /** Makes the kernel drop notifications of routes, except default routes of the main table, if it can. Replaces {@link #leaveOut}. */
    default void hearOnlyDefaultRoutes() throws NetlinkException {}

    /** The port id in the header of the kernel's answers; distinguishes this socket's changes from external ones in notifications. */
    int portId();

    /** Ends a {@link #receive} under way in another thread. Does nothing when closed already. */
    @Override
    void close();
}
