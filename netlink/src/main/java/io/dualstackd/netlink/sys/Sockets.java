package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.AF_NETLINK;
import static io.dualstackd.netlink.sys.LinuxNumbers.MSG_DONTWAIT;
import static io.dualstackd.netlink.sys.LinuxNumbers.MSG_TRUNC;
import static io.dualstackd.netlink.sys.LinuxNumbers.POLLIN;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_CLOEXEC;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_DGRAM;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_RAW;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Socket calls of libc, above all for netlink: one method per call, no policy. Buffers are direct and in native byte order. */
public final class Sockets {
    /** {@code SOL_SOCKET} of {@code asm-generic/socket.h}. */
    public static final int SOL_SOCKET = LinuxNumbers.SOL_SOCKET;
    /** {@code SOL_NETLINK} of {@code bits/socket.h}. */
    public static final int SOL_NETLINK = LinuxNumbers.SOL_NETLINK;

    private static final int SOCKADDR_NL_BYTES = 12;
    private static final int POLLFD_BYTES = 8;

    /** The reason why {@link #await} returned. */
    public enum Readiness {
        READABLE,
        WOKEN,
        TIMEOUT
    }

    private Sockets() {}

    /** Opens {@code socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol)} in the calling thread's network namespace. */
    public static Fd netlink(int protocol) throws SysException {
        Libc libc = NativeLibc.libc();
        long number = NativeLibc.retry(
                "open netlink socket", () -> libc.socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol));
        return new Fd((int) number, "netlink socket");
    }

    /**
     * Opens {@code socket(domain, SOCK_DGRAM | SOCK_CLOEXEC, 0)} in the calling thread's network namespace: for options that any socket
     * of the domain takes.
     *
     * @param domain {@code AF_INET} or {@code AF_INET6}
     */
    public static Fd internet(int domain) throws SysException {
        Libc libc = NativeLibc.libc();
        long number = NativeLibc.retry(
                "open socket of family " + domain, () -> libc.socket(domain, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        return new Fd((int) number, "socket of family " + domain);
    }

    /**
     * Binds the socket to a port id of the kernel's choice and connects it to the kernel. A connected netlink socket receives nothing from
     * other processes, so the sender of an answer need not be checked.
     *
     * @return the port id, which the kernel writes into the header of its answers
     */
    public static int connectToKernel(Fd socket) throws SysException {
        Libc libc = NativeLibc.libc();
        ByteBuffer address = sockaddr();
        int fd = socket.enter("connect");
        try {
            NativeLibc.retry("bind netlink socket", () -> libc.bind(fd, address, SOCKADDR_NL_BYTES));
            NativeLibc.retry("connect netlink socket", () -> libc.connect(fd, address, SOCKADDR_NL_BYTES));
            ByteBuffer length = integer(SOCKADDR_NL_BYTES);
            NativeLibc.retry("getsockname", () -> libc.getsockname(fd, address, length));
            return address.getInt(4);
        } finally {
            socket.leave();
        }
    }

    public static void setOption(Fd socket, int level, int name, int value) throws SysException {
        setOption(socket, level, name, integer(value));
    }

    /** Sets an option to the bytes between position and limit of a direct buffer. */
    public static void setOption(Fd socket, int level, int name, ByteBuffer value) throws SysException {
        Libc libc = NativeLibc.libc();
        int fd = socket.enter("setsockopt");
        try {
            NativeLibc.retry(
                    "setsockopt level " + level + " option " + name,
                    () -> libc.setsockopt(fd, level, name, value, value.remaining()));
        } finally {
            socket.leave();
        }
    }

    public static int option(Fd socket, int level, int name) throws SysException {
        ByteBuffer value = integer(0);
        option(socket, level, name, value);
        return value.getInt(0);
    }

    /**
     * Reads an option into a direct buffer, from its position on; the previous content of the buffer is passed to the kernel, as some
     * options require.
     *
     * @return the bytes read
     */
    public static int option(Fd socket, int level, int name, ByteBuffer value) throws SysException {
        Libc libc = NativeLibc.libc();
        ByteBuffer length = integer(value.remaining());
        int fd = socket.enter("getsockopt");
        try {
            NativeLibc.retry(
                    "getsockopt level " + level + " option " + name,
                    () -> libc.getsockopt(fd, level, name, value, length));
            return length.getInt(0);
        } finally {
            socket.leave();
        }
    }

    /** As {@link #setOption(Fd, int, int, ByteBuffer)}, to the first {@code length} bytes of {@code value}. */
    public static void setOption(Fd socket, int level, int name, NativeMemory value, int length) throws SysException {
        Libc libc = NativeLibc.libc();
        int fd = socket.enter("setsockopt");
        try {
            NativeLibc.retry(
                    "setsockopt level " + level + " option " + name,
                    () -> libc.setsockopt(fd, level, name, value.pointer(), length));
        } finally {
            socket.leave();
        }
    }

    /** As {@link #option(Fd, int, int, ByteBuffer)}, into the first {@code capacity} bytes of {@code value}. */
    public static int option(Fd socket, int level, int name, NativeMemory value, int capacity) throws SysException {
        Libc libc = NativeLibc.libc();
        ByteBuffer length = integer(capacity);
        int fd = socket.enter("getsockopt");
        try {
            NativeLibc.retry(
                    "getsockopt level " + level + " option " + name,
                    () -> libc.getsockopt(fd, level, name, value.pointer(), length));
            return length.getInt(0);
        } finally {
            socket.leave();
        }
    }

    /** Sends the bytes between position and limit of a direct buffer as one datagram to the kernel. */
    public static void send(Fd socket, ByteBuffer bytes) throws SysException {
        Libc libc = NativeLibc.libc();
        int fd = socket.enter("send");
        try {
            long sent = NativeLibc.retry("send to kernel", () -> libc.send(fd, bytes, bytes.remaining(), 0));
            if (sent != bytes.remaining()) {
                throw new SysException("send to kernel, " + sent + " of " + bytes.remaining() + " bytes", Errno.EIO);
            }
        } finally {
            socket.leave();
        }
    }

    /** Sends the first {@code length} bytes of {@code memory} as one datagram to the kernel. */
    public static void send(Fd socket, NativeMemory memory, long length) throws SysException {
        Libc libc = NativeLibc.libc();
        int fd = socket.enter("send");
        try {
            long sent = NativeLibc.retry("send to kernel", () -> libc.send(fd, memory.pointer(), length, 0));
            if (sent != length) {
                throw new SysException("send to kernel, " + sent + " of " + length + " bytes", Errno.EIO);
            }
        } finally {
            socket.leave();
        }
    }

    /**
     * Receives one datagram, without waiting, into a direct buffer from its position on; position and limit stay.
     *
     * @return the datagram's full length, which is larger than {@code into.remaining()} if it was truncated; -1 when there is none
     */
    public static int receive(Fd socket, ByteBuffer into) throws SysException {
        Libc libc = NativeLibc.libc();
        int fd = socket.enter("receive");
        try {
            long length = NativeLibc.retry(
                    "receive from kernel",
                    () -> libc.recvfrom(fd, into, into.remaining(), MSG_DONTWAIT | MSG_TRUNC, null, null));
            return (int) length;
        } catch (SysException e) {
            if (e.errno().equals(Errno.EAGAIN)) {
                return -1;
            }
            throw e;
        } finally {
            socket.leave();
        }
    }

    /**
     * Waits until the socket is readable or {@code eventFd} was raised.
     *
     * @param millis how long at most; negative means no limit
     */
    public static Readiness await(Fd socket, EventFd eventFd, long millis) throws SysException {
        Libc libc = NativeLibc.libc();
        ByteBuffer fds = ByteBuffer.allocateDirect(2 * POLLFD_BYTES).order(ByteOrder.nativeOrder());
        int first = socket.enter("poll");
        try {
            int second = eventFd.fd().enter("poll");
            try {
                fds.putInt(0, first).putShort(4, POLLIN);
                fds.putInt(POLLFD_BYTES, second).putShort(POLLFD_BYTES + 4, POLLIN);
                long until = System.nanoTime() + millis * 1_000_000;
                while (true) {
                    long left = millis < 0 ? -1 : Math.max(0, (until - System.nanoTime() + 999_999) / 1_000_000);
                    int ready = libc.poll(fds, 2, (int) Math.min(left, Integer.MAX_VALUE));
                    if (ready >= 0) {
                        return readiness(fds, ready);
                    }
                    Errno errno = NativeLibc.errno();
                    // Not retried without a check of the time: a steady stream of signals must not prolong the timeout.
                    if (!errno.equals(Errno.EINTR)) {
                        throw new SysException("poll netlink socket", errno);
                    }
                }
            } finally {
                eventFd.fd().leave();
            }
        } finally {
            socket.leave();
        }
    }

    private static Readiness readiness(ByteBuffer fds, int ready) {
        if (ready == 0) {
            return Readiness.TIMEOUT;
        }
        return fds.getShort(POLLFD_BYTES + 6) != 0 ? Readiness.WOKEN : Readiness.READABLE;
    }

    private static ByteBuffer sockaddr() {
        return ByteBuffer.allocateDirect(SOCKADDR_NL_BYTES)
                .order(ByteOrder.nativeOrder())
                .putShort(0, (short) AF_NETLINK);
    }

    private static ByteBuffer integer(int value) {
        return ByteBuffer.allocateDirect(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(0, value);
    }
}
