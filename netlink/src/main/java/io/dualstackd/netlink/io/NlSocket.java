package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.EventFd;
import io.dualstackd.netlink.sys.Fd;
import io.dualstackd.netlink.sys.NativeMemory;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sockets;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A netlink socket to the kernel, with extended acknowledgements on. It belongs to the network namespace it was opened in, whichever thread
 * uses it. One thread at a time sends and receives; {@link #close} may be called from any.
 *
 * <p>A blocked {@link #receive} pins its carrier thread, so it belongs on a platform thread; {@link Thread#interrupt} does not end it,
 * {@link #close} does.
 */
public final class NlSocket implements NlTransport {
    /** Receive buffer for notifications; the kernel counts its own overhead, too, and doubles it. A limit, not memory taken. */
    static final int RECEIVE_BUFFER = 4 << 20;
    /** The largest part of a dump; a single object may be larger, answers to a batch are small and many. */
    private static final int DATAGRAM = 32 << 10;
    /** Enough for single requests. */
    private static final int REQUESTS = 4 << 10;
    /** Enough for small batches; rare larger batches get a buffer of their own. */
    private static final int SMALL = 64 << 10;
    /**
     * How many times larger than a batch its answers may be: every message may be refused, or echoed with the kernel's additions, in
     * datagrams of their own.
     */
    private static final int ANSWER_FACTOR = 8;

    private static final int LARGEST_RECEIVE_BUFFER = 1 << 29;
    /** The least space in the receive buffer that the kernel counts for a datagram: its own structures are larger. */
    private static final int LEAST_COUNTED = 512;
    /** The kernel requires this much space in the send buffer beside the message itself. */
    private static final int SEND_OVERHEAD = 1024;

    private final NlProtocol protocol;
    private final Fd fd;
    private final EventFd eventFd;
    private final int portId;
    private ByteBuffer incoming = direct(DATAGRAM);
    /** As large as the largest request so far; some sockets only receive. */
    private ByteBuffer outgoing = direct(0);

    private int sendBuffer;
    private int receiveBuffer;
    private @Nullable MessageFilter messageFilter;

    private NlSocket(NlProtocol protocol, int receiveBuffer) throws SysException {
        this.protocol = protocol;
        this.receiveBuffer = receiveBuffer;
        eventFd = EventFd.create();
        Fd socket = null;
        try {
            socket = Sockets.netlink(protocol.number());
            fd = socket;
            SocketOptions.prepare(fd, protocol, receiveBuffer);
            portId = Sockets.connectToKernel(fd);
            sendBuffer = SocketOptions.sendBuffer(fd);
        } catch (SysException e) {
            eventFd.close();
            if (socket != null) {
                socket.close();
            }
            throw e;
        }
    }

    /** Opens a socket in the namespace of the calling thread. */
    public static NlSocket open(NlProtocol protocol) throws NetlinkException {
        return open(protocol, RECEIVE_BUFFER);
    }

    /**
     * @param receiveBuffer bytes of notifications the kernel may queue; it may grant less, and large sends raise it so that their answers
     *     fit
     */
    public static NlSocket open(NlProtocol protocol, int receiveBuffer) throws NetlinkException {
        try {
            return new NlSocket(protocol, receiveBuffer);
        } catch (SysException e) {
            throw new NetlinkException.Failed("open " + protocol + " socket", e);
        }
    }

    /** Opens a socket in a given namespace. */
    public static NlSocket open(NlProtocol protocol, NetNs ns) throws NetlinkException {
        return open(protocol, ns, RECEIVE_BUFFER);
    }

    /** Opens a socket in a given namespace; {@code receiveBuffer} as in {@link #open(NlProtocol, int)}. */
    public static NlSocket open(NlProtocol protocol, NetNs ns, int receiveBuffer) throws NetlinkException {
        try {
            return ns.call(() -> open(protocol, receiveBuffer));
        } catch (NetlinkException | RuntimeException e) {
            throw e;
        } catch (SysException e) {
            throw new NetlinkException.Failed("open " + protocol + " socket in " + ns, e);
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    /** Joins a multicast group: {@code RTNLGRP_*} or {@code NFNLGRP_*}. */
    @Override
    public void join(int group) throws NetlinkException {
        try {
            SocketOptions.join(fd, group);
        } catch (SysException e) {
            throw failed("join group " + group + " of " + protocol, e);
        }
    }

    @Override
    public void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
        try {
            SocketOptions.growReceiveBuffer(fd, receiveBuffer);
            this.receiveBuffer = receiveBuffer;
        } catch (SysException e) {
            throw failed("enlarge the receive buffer of " + protocol, e);
        }
        receiveOnly(wanted);
        join(group);
    }

    @Override
    public void receiveOnly(MessageFilter wanted) {
        messageFilter = wanted;
    }

    /**
     * Makes the kernel drop every datagram that begins with a message caused by one of these sockets: it takes no space in the receive
     * buffer and wakes no thread. Replaces the previous set; may be called from any thread.
     */
    @Override
    public void leaveOut(Collection<Integer> portIds) throws NetlinkException {
        filter(PortFilter.dropping(portIds));
    }

    @Override
    public void hearOnlyDefaultRoutes() throws NetlinkException {
        filter(DefaultRouteFilter.program());
    }

    private void filter(byte[] program) throws NetlinkException {
        try {
            SocketOptions.filter(fd, program);
        } catch (SysException e) {
            throw failed("filter " + protocol, e);
        }
    }

    @Override
    public int portId() {
        return portId;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        int length = writer.length();
        try {
            makeRoom(length);
            if (length <= SMALL) {
                ByteBuffer buffer = outgoing(length);
                writer.pieces((piece, count) -> buffer.put(piece, 0, count));
                Sockets.send(fd, buffer.flip());
            } else {
                sendLarge(writer, length);
            }
        } catch (SysException e) {
            throw failed("send " + length + " bytes to " + protocol, e);
        }
    }

    private ByteBuffer outgoing(int length) {
        if (length > outgoing.capacity()) {
            outgoing = direct(length <= REQUESTS ? REQUESTS : SMALL);
        }
        return outgoing.clear();
    }

    private void sendLarge(NlWriter writer, int length) throws SysException {
        if (writer.shelved() instanceof BatchMemory lies) {
            Sockets.send(fd, lies.memory(), length);
            return;
        }
        try (NativeMemory memory = NativeMemory.map(length)) {
            writer.pieces(new NlWriter.Piece() {
                private long at;

                @Override
                public void take(byte[] piece, int count) {
                    memory.put(at, piece, count);
                    at += count;
                }
            });
            Sockets.send(fd, memory, length);
        }
    }

    private void makeRoom(int length) throws SysException {
        if (length + SEND_OVERHEAD > sendBuffer) {
            sendBuffer = SocketOptions.growSendBuffer(fd, length + SEND_OVERHEAD);
        }
        // All answers to a batch are queued before send returns, so they must fit at once.
        int answers = (int) Math.min((long) length * ANSWER_FACTOR, LARGEST_RECEIVE_BUFFER);
        if (answers > receiveBuffer) {
            SocketOptions.growReceiveBuffer(fd, answers);
            receiveBuffer = answers;
        }
    }

    @Override
    public Arrival receive(Duration timeout) throws NetlinkException {
        try {
            boolean forever = timeout.equals(FOREVER);
            long until = forever ? 0 : System.nanoTime() + timeout.toNanos();
            long late = 0;
            while (true) {
                int length = Sockets.receive(fd, incoming.clear());
                if (length >= 0) {
                    int kept = sifted(length);
                    if (kept > 0 || length == 0) {
                        return arrived(kept);
                    }
                    // What was queued when the time passed is looked through; what arrives behind it may never end.
                    if (!forever && System.nanoTime() - until >= 0 && ++late > mostQueued()) {
                        return new Arrival.Silence();
                    }
                    continue;
                }
                long millis = forever ? -1 : Math.max(0, (until - System.nanoTime()) / 1_000_000);
                switch (Sockets.await(fd, eventFd, millis)) {
                    case READABLE -> {}
                    case WOKEN -> throw new NetlinkException.Closed("receive from " + protocol);
                    case TIMEOUT -> {
                        return new Arrival.Silence();
                    }
                }
            }
        } catch (SysException e) {
            if (e.errno().equals(Errno.ENOBUFS)) {
                return new Arrival.Overrun();
            }
            throw failed("receive from " + protocol, e);
        }
    }

    /** The kernel doubles the size that is asked for. */
    private long mostQueued() {
        return 2L * receiveBuffer / LEAST_COUNTED;
    }

    private int sifted(int length) throws NetlinkException {
        MessageFilter chosen = messageFilter;
        if (chosen == null || length > incoming.capacity()) {
            return length;
        }
        try {
            return chosen.apply(incoming, length);
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed("receive from " + protocol, e);
        }
    }

    private Arrival arrived(int length) throws NetlinkException {
        if (length > incoming.capacity()) {
            // Truncated, and the kernel does not send it again. The next one of this size will fit.
            incoming = direct(Integer.highestOneBit(length) * 2);
            return new Arrival.Overrun();
        }
        byte[] datagram = new byte[length];
        incoming.get(0, datagram);
        try {
            return new Arrival.Messages(NlMessage.split(datagram, length));
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed("receive from " + protocol, e);
        }
    }

    /** A failed call on a socket that another thread has closed is not an error of the kernel. */
    private NetlinkException failed(String operation, SysException reason) {
        return fd.isClosed() ? new NetlinkException.Closed(operation) : new NetlinkException.Failed(operation, reason);
    }

    @Override
    public void close() {
        eventFd.raise();
        fd.close();
        eventFd.close();
    }

    private static ByteBuffer direct(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    }

    @Override
    public String toString() {
        return protocol + " socket, port id " + Integer.toUnsignedString(portId) + ", " + fd;
    }
}
