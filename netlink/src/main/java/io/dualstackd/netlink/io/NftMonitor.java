package io.dualstackd.netlink.io;

import io.dualstackd.netlink.io.Subscription.Notification;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftInterest;
import io.dualstackd.netlink.nft.NftMessageView;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Receives every change of the nf_tables rule set of one network namespace. For one receiving thread; may be closed from any. */
public final class NftMonitor implements AutoCloseable {
    /** {@code NFNLGRP_NFTABLES} of {@code linux/netfilter/nfnetlink.h}. */
    public static final int GROUP = 7;

    /** Receive buffer for the notifications of a transaction of some 100,000 elements. A limit, not memory taken. */
    private static final int RECEIVE_BUFFER = 32 << 20;

    private final NlTransport socket;
    private final Subscription subscription;

    private NftMonitor(NlTransport socket) {
        this.socket = socket;
        this.subscription = new Subscription(socket);
    }

    /** Subscribes to all changes in the namespace of the calling thread. */
    public static NftMonitor open() throws NetlinkException {
        return listen(NlSocket.open(NlProtocol.NETFILTER, RECEIVE_BUFFER), NftInterest.EVERYTHING);
    }

    /** Subscribes to all changes in a given namespace. */
    public static NftMonitor open(NetNs ns) throws NetlinkException {
        return open(ns, NftInterest.EVERYTHING);
    }

    /**
     * Subscribes to changes of {@code interest} only, in a given namespace. Other messages are inspected in the receive buffer and not
     * decoded.
     */
    public static NftMonitor open(NetNs ns, NftInterest interest) throws NetlinkException {
        return open(ns, interest, RECEIVE_BUFFER);
    }

    /** As {@link #open(NetNs, NftInterest)}, through one of these sockets. */
    public static NftMonitor open(NetlinkSockets sockets, NftInterest interest) throws NetlinkException {
        return listen(sockets.open(NlProtocol.NETFILTER, RECEIVE_BUFFER), interest);
    }

    /** @param receiveBuffer bytes of notifications the kernel may queue; more are {@link NftNotification.Lost} */
    static NftMonitor open(NetNs ns, NftInterest interest, int receiveBuffer) throws NetlinkException {
        return listen(NlSocket.open(NlProtocol.NETFILTER, ns, receiveBuffer), interest);
    }

    private static NftMonitor listen(NlTransport socket, NftInterest interest) throws NetlinkException {
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
    public NftNotification next(Duration timeout) throws NetlinkException {
        return switch (subscription.next(timeout)) {
            case Notification.Changes(List<NlMessage> messages) -> new NftNotification.Changes(read(messages));
            case Notification.Lost() -> new NftNotification.Lost();
            case Notification.Quiet() -> new NftNotification.Quiet();
        };
    }

    private static List<NftNotification.Heard> read(List<NlMessage> messages) throws NetlinkException {
        List<NftNotification.Heard> changes = new ArrayList<>(messages.size());
        try {
            for (NlMessage message : messages) {
                changes.add(new NftNotification.Heard(message.portId(), NftChange.read(message)));
            }
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed("nf_tables notification", e);
        }
        return changes;
    }

    @Override
    public void close() {
        subscription.close();
    }
}
