package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.Fd;
import io.dualstackd.netlink.sys.NativeMemory;
import io.dualstackd.netlink.sys.Sockets;
import io.dualstackd.netlink.sys.SysException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Socket options of the netlink sockets of dualstackd. */
final class SocketOptions {
    // asm-generic/socket.h
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;

    // linux/netlink.h
    private static final int NETLINK_ADD_MEMBERSHIP = 1;
    private static final int NETLINK_CAP_ACK = 10;
    private static final int NETLINK_EXT_ACK = 11;
    private static final int NETLINK_GET_STRICT_CHK = 12;

    private SocketOptions() {}

    static void prepare(Fd fd, NlProtocol protocol, int receiveBuffer) throws SysException {
        optional(fd, NETLINK_EXT_ACK);
        // An error need not quote the whole refused message: that would repeat the batch.
        optional(fd, NETLINK_CAP_ACK);
        if (protocol.equals(NlProtocol.ROUTE)) {
            // Without this option the kernel ignores unknown attributes of a dump request, and lists everything.
            optional(fd, NETLINK_GET_STRICT_CHK);
        }
        growReceiveBuffer(fd, receiveBuffer);
    }

    static void growReceiveBuffer(Fd fd, int bytes) throws SysException {
        buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF, bytes);
    }

    static void join(Fd fd, int group) throws SysException {
        Sockets.setOption(fd, Sockets.SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group);
    }

    /**
     * Attaches a program that the kernel runs on each datagram before it is queued: datagrams for which it returns 0 are dropped. Replaces
     * the previous one.
     *
     * @param program classic BPF
     */
    static void filter(Fd fd, byte[] program) throws SysException {
        try (NativeMemory memory = NativeMemory.map(program.length)) {
            memory.put(0, program, program.length);
            // struct sock_fprog of linux/filter.h: the number of instructions, padding, their address.
            ByteBuffer fprog = ByteBuffer.allocateDirect(16)
                    .order(ByteOrder.nativeOrder())
                    .putShort(0, (short) (program.length / PortFilter.INSTRUCTION))
                    .putLong(8, memory.address());
            Sockets.setOption(fd, Sockets.SOL_SOCKET, SO_ATTACH_FILTER, fprog);
        }
    }

    static int sendBuffer(Fd fd) throws SysException {
        return Sockets.option(fd, Sockets.SOL_SOCKET, SO_SNDBUF);
    }

    /**
     * Requests a send buffer for one message of {@code bytes}.
     *
     * @return the size that was granted
     */
    static int growSendBuffer(Fd fd, int bytes) throws SysException {
        buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF, bytes);
        return sendBuffer(fd);
    }

    /** FORCE exceeds the administrator's limit and needs CAP_NET_ADMIN; the plain option grants up to the limit. */
    private static void buffer(Fd fd, int forced, int plain, int bytes) throws SysException {
        try {
            Sockets.setOption(fd, Sockets.SOL_SOCKET, forced, bytes);
        } catch (SysException e) {
            if (!e.errno().equals(Errno.EPERM)) {
                throw e;
            }
            Sockets.setOption(fd, Sockets.SOL_SOCKET, plain, bytes);
        }
    }

    /** Kernels that do not know an option use the older format, which is supported, too. */
    private static void optional(Fd fd, int option) throws SysException {
        try {
            Sockets.setOption(fd, Sockets.SOL_NETLINK, option, 1);
        } catch (SysException e) {
            if (!e.errno().equals(Errno.ENOPROTOOPT)) {
                throw e;
            }
        }
    }
}
