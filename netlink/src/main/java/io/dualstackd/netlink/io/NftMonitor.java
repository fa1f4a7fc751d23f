package io.dualstackd.netlink.io;

import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Hears every change of the nf_tables rule set of one network namespace. For one listening thread; closed from any. */
public final class NftMonitor implements AutoCloseable {
    /** {@code NFNLGRP_NFTABLES} of {@code linux/netfilter/nfnetlink.h}. */
    private static final int GROUP = 7;

    private final Subscription subscription;

    /** @param subscription to the group of nf_tables */
    NftMonitor(Subscription subscription) {
        this.subscription = subscription;
    }

    /** For the namespace of the calling thread. */
    public static NftMonitor open() throws NetlinkException {
        return listen(NlSocket.open(NlProtocol.NETFILTER));
    }

    /** For a given namespace. */
    public static NftMonitor open(NetNs ns) throws NetlinkException {
        return listen(NlSocket.open(NlProtocol.NETFILTER, ns));
    }

    private static NftMonitor listen(NlSocket socket) throws NetlinkException {
        socket.join(GROUP);
        return new NftMonitor(new Subscription(socket));
    }

    /**
     * Waits for the next notice, at most {@code timeout}; zero returns at once.
     *
     * @throws NetlinkException.Closed when another thread closes the monitor
     */
    public NftNotice next(Duration timeout) throws NetlinkException {
        return switch (subscription.next(timeout)) {
            case Notice.Changes(List<NlMessage> messages) -> new NftNotice.Changes(read(messages));
            case Notice.Lost() -> new NftNotice.Lost();
            case Notice.Quiet() -> new NftNotice.Quiet();
        };
    }

    private static List<NftNotice.Heard> read(List<NlMessage> messages) throws NetlinkException {
        List<NftNotice.Heard> changes = new ArrayList<>(messages.size());
        try {
            for (NlMessage message : messages) {
                changes.add(new NftNotice.Heard(message.portId(), NftChange.read(message)));
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
