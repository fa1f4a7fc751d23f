package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.watch.OwnedObjects;
import io.dualstackd.dataplane.watch.PartialRead;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftMonitor;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftGeneration;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftMessageView;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The nf_tables notifications received while a family's rules are read and written, and whether one of them is about these rules. Open
 * only that long: while a socket is subscribed, every transaction of the namespace takes longer. Used by one thread.
 */
final class ForeignNotifications implements NftClient.Bystander, AutoCloseable {
    /** The size of the receive buffer, for notifications that arrive between two dumps. A limit, not memory allocated. */
    private static final int RECEIVE_BUFFER = 32 << 20;

    /** How long to wait for the notification of a generation. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final NlTransport transport;
    private final OwnedObjects ours;
    private final int family;
    private final NftMessageView glance = new NftMessageView();

    private int start;
    private int lastGeneration;
    private boolean touched;
    private boolean moved;
    private boolean lost;

    private ForeignNotifications(NlTransport transport, OwnedObjects ours, IpFamily family) {
        this.transport = transport;
        this.ours = ours;
        this.family = NftFamily.of(family).number();
    }

    /**
     * @param portId of the socket that reads and writes
     * @throws UnsupportedOperationException when what is opened is no kernel socket, or is that very socket again
     */
    static ForeignNotifications listen(NetlinkKernel.Open open, int portId, OwnedObjects ours, IpFamily family)
            throws NetlinkException {
        NlTransport transport = open.transport();
        if (transport.portId() == portId) {
            throw new UnsupportedOperationException("a socket that listens is used for nothing else");
        }
        ForeignNotifications notifications = new ForeignNotifications(transport, ours, family);
        try {
            transport.listen(NftMonitor.GROUP, notifications::keeps, RECEIVE_BUFFER);
            return notifications;
        } catch (NetlinkException | RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    /** Ignores changes up to this generation: reading begins now. */
    void startFrom(int generation) {
        start = generation;
        lastGeneration = generation;
        touched = false;
        moved = false;
    }

    @Override
    public void catchUp(int generation) throws NetlinkException {
        while (!lost && lastGeneration - generation < 0) {
            take(TIMEOUT);
        }
    }

    /** Whether rules of dualstackd were changed since the start. */
    boolean touched() {
        return touched;
    }

    /** Whether notifications were lost, so that the changes are not known; from then on this object is of no use. */
    boolean lost() {
        return lost;
    }

    @Override
    public void read(boolean interrupted) throws NetlinkException {
        while (!lost && take(Duration.ZERO)) {
            // Until the receive buffer is empty.
        }
    }

    @Override
    public boolean chainsMoved() {
        boolean before = moved || lost;
        moved = false;
        return before;
    }

    /** Returns false when nothing arrived in time. */
    private boolean take(Duration timeout) throws NetlinkException {
        switch (transport.receive(timeout)) {
            case Arrival.Messages arrived -> {
                for (NlMessage message : arrived.messages()) {
                    handle(message);
                }
                return true;
            }
            case Arrival.Overrun ignored -> {
                lost = true;
                return true;
            }
            case Arrival.Silence ignored -> {
                lost |= !timeout.isZero();
                return false;
            }
        }
    }

    /** Whether a message has to be decoded; handles the others at once. */
    private boolean keeps(ByteBuffer bytes, int offset, int length) {
        NftMessageView message = glance.moveTo(bytes, offset, length);
        int type = message.type();
        if (type == NftMessageType.NEW_GENERATION) {
            return true;
        }
        boolean moves = type == NftMessageType.NEW_CHAIN
                || type == NftMessageType.DELETE_CHAIN
                || type == NftMessageType.NEW_TABLE
                || type == NftMessageType.DELETE_TABLE;
        moved |= moves && message.family() == family;
        return switch (ours.partialRead(message)) {
            case PartialRead.Nothing ignored -> false;
            case PartialRead.Ours ignored -> {
                touched = true;
                yield false;
            }
            case PartialRead.Unclear ignored -> true;
        };
    }

    private void handle(NlMessage message) {
        try {
            NftChange change = NftChange.read(message);
            if (change instanceof NftChange.Committed(NftGeneration generation)) {
                committed(generation.id());
            } else {
                touched |= ours.judge(change).isPresent();
            }
        } catch (DecodeException e) {
            // A message about rules of dualstackd, or about unknown ones.
            touched = true;
        }
    }

    private void committed(int generation) {
        if (generation - start <= 0) {
            touched = false;
            moved = false;
        } else {
            lastGeneration = generation;
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
