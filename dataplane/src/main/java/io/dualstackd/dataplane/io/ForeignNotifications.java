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
 * The nf_tables notifications of the time in which a family's rules are read and written, and whether one of them is about these rules.
 * Open only that long: while anybody listens, every transaction of the namespace takes longer. Used by one thread.
 */
final class ForeignNotifications implements NftClient.Bystander, AutoCloseable {
    /** Bytes of notifications the kernel may keep between two lists. A limit, not memory taken. */
    private static final int ROOM = 32 << 20;

    /** How long the notification of a version may be on its way. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final NlTransport transport;
    private final OwnedObjects ours;
    private final int family;
    private final NftMessageView glance = new NftMessageView();

    private int start;
    private int heard;
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
     * @throws UnsupportedOperationException when there is no kernel behind what is opened, or it is that very socket again
     */
    static ForeignNotifications listen(NetlinkKernel.Open open, int portId, OwnedObjects ours, IpFamily family)
            throws NetlinkException {
        NlTransport transport = open.transport();
        if (transport.portId() == portId) {
            throw new UnsupportedOperationException("a socket that listens is used for nothing else");
        }
        ForeignNotifications news = new ForeignNotifications(transport, ours, family);
        try {
            transport.listen(NftMonitor.GROUP, news::keeps, ROOM);
            return news;
        } catch (NetlinkException | RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    /** What was changed up to this version no longer matters: reading begins now. */
    void startFrom(int generation) {
        start = generation;
        heard = generation;
        touched = false;
        moved = false;
    }

    /** Takes in all changes up to this version. */
    void catchUp(int generation) throws NetlinkException {
        while (!lost && heard - generation < 0) {
            take(PATIENCE);
        }
    }

    /** Rules of ours were changed since the start. */
    boolean touched() {
        return touched;
    }

    /** Notifications were lost, so it is not known what was changed; from then on this is of no use. */
    boolean lost() {
        return lost;
    }

    @Override
    public void read(boolean interrupted) throws NetlinkException {
        while (!lost && take(Duration.ZERO)) {
            // Until nothing waits.
        }
    }

    @Override
    public boolean chainsMoved() {
        boolean before = moved || lost;
        moved = false;
        return before;
    }

    /** Returns false when nothing came in time. */
    private boolean take(Duration patience) throws NetlinkException {
        switch (transport.receive(patience)) {
            case Arrival.Messages arrived -> {
                for (NlMessage message : arrived.messages()) {
                    hear(message);
                }
                return true;
            }
            case Arrival.Overrun ignored -> {
                lost = true;
                return true;
            }
            case Arrival.Silence ignored -> {
                lost |= !patience.isZero();
                return false;
            }
        }
    }

    /** Also takes in whatever needs no decoding. */
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
        return switch (ours.look(message)) {
            case PartialRead.Nothing ignored -> false;
            case PartialRead.Ours ignored -> {
                touched = true;
                yield false;
            }
            case PartialRead.Unclear ignored -> true;
        };
    }

    private void hear(NlMessage message) {
        try {
            NftChange change = NftChange.read(message);
            if (change instanceof NftChange.Committed(NftGeneration generation)) {
                committed(generation.id());
            } else {
                touched |= ours.judge(change).isPresent();
            }
        } catch (DecodeException e) {
            // Something about rules of ours, or about who knows what.
            touched = true;
        }
    }

    private void committed(int generation) {
        if (generation - start <= 0) {
            touched = false;
            moved = false;
        } else {
            heard = generation;
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
