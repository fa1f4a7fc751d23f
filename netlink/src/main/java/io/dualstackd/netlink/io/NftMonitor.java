package io.dualstackd.netlink.io;

import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftInterest;
import io.dualstackd.netlink.nft.NftMessageView;
import java.time.Duration;
import java.util.Collection;

/** Receives every change of the nf_tables rule set of one network namespace. For one receiving thread; may be closed from any. */
public final class NftMonitor implements AutoCloseable {
    /** {@code NFNLGRP_NFTABLES} of {@code linux/netfilter/nfnetlink.h}. */
    public static final int GROUP = 7;

    /** Receive buffer for the notifications of a transaction of some 100,000 elements. A limit, not memory taken. */
    private static final int RECEIVE_BUFFER = 32 << 20;

    private final NlTransport socket;

    private NftMonitor(NlTransport socket) {
        this.socket = socket;
    }

    /**
     * One change.
     *
     * @param portId of the socket that made it, see {@link NftClient#portId}
     */
    public record Received(int portId, NftChange change) {}

    /**
     * Subscribes to the changes that {@code interest} wants. A transaction ends with {@link NftChange.Committed} and may be split over
     * several notifications.
     */
    public static NftMonitor open(NetlinkSockets sockets, NftInterest interest) throws NetlinkException {
        NlTransport socket = sockets.open(NlProtocol.NETFILTER, RECEIVE_BUFFER);
        try {
            NftMessageView glance = new NftMessageView();
            socket.receiveOnly((bytes, offset, length) -> interest.wants(glance.moveTo(bytes, offset, length)));
            socket.join(GROUP);
            return new NftMonitor(socket);
        } catch (NetlinkException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Ignores from now on the changes made by these sockets ({@link NftClient#portId}); their notifications do not even use space in the
     * receive buffer. Replaces the previous set; may be called from any thread.
     */
    public void ignore(Collection<Integer> portIds) throws NetlinkException {
        socket.leaveOut(portIds);
    }

    /**
     * Waits for the next notification, at most {@code timeout}; zero returns at once.
     *
     * @throws NetlinkException.Closed when another thread closes the monitor
     */
    public Notification<Received> next(Duration timeout) throws NetlinkException {
        return Notification.receive(
                socket,
                timeout,
                "nf_tables notification",
                message -> new Received(message.portId(), NftChange.read(message)));
    }

    @Override
    public void close() {
        socket.close();
    }
}
