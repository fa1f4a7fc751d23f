package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.AF_UNIX;
import static io.dualstackd.netlink.sys.LinuxNumbers.MSG_DONTWAIT;
import static io.dualstackd.netlink.sys.LinuxNumbers.MSG_NOSIGNAL;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_CLOEXEC;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_DGRAM;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOL_SOCKET;
import static io.dualstackd.netlink.sys.LinuxNumbers.SO_SNDTIMEO;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A sender of datagrams to a Unix socket ({@code unix(7)}); the JDK supports stream sockets only. */
public final class UnixDatagrams implements AutoCloseable {
    /** Size of {@code sun_path} in bytes. */
    private static final int LONGEST = 108;

    private final Fd fd;
    private final int flags;

    private UnixDatagrams(Fd fd, int flags) {
        this.fd = fd;
        this.flags = flags;
    }

    /**
     * Connects to a receiver.
     *
     * @param name a path, or a name of the abstract namespace with a leading {@code @}
     * @param timeout how long {@link #send} waits for a slow reader; the queue of a socket may hold ten datagrams only ({@code
     *     net.unix.max_dgram_qlen})
     * @throws SysException with {@code ECONNREFUSED} or {@code ENOENT} when there is no receiver, with {@code ENAMETOOLONG} when the name
     *     is too long
     */
    public static UnixDatagrams to(String name, Duration timeout) throws SysException {
        ByteBuffer address = address(name);
        Libc libc = NativeLibc.libc();
        Fd fd = new Fd(
                (int) NativeLibc.retry("open Unix socket", () -> libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)),
                "datagrams to " + name);
        try {
            int number = fd.enter("connect");
            try {
                NativeLibc.retry("connect to " + name, () -> libc.connect(number, address, address.remaining()));
            } finally {
                fd.leave();
            }
            boolean waits = timeout.isPositive();
            if (waits) {
                ByteBuffer time = ByteBuffer.allocateDirect(2 * Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(timeout.toSeconds())
                        .putLong(timeout.toNanosPart() / 1000)
                        .flip();
                Sockets.setOption(fd, SOL_SOCKET, SO_SNDTIMEO, time);
            }
            return new UnixDatagrams(fd, waits ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT);
        } catch (SysException e) {
            fd.close();
            throw e;
        }
    }

    /** {@code struct sockaddr_un} of a path, or of a name of the abstract namespace with a leading {@code @}. */
    static ByteBuffer address(String name) throws SysException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        boolean isAbstract = name.startsWith("@");
        // A path ends with a zero byte, an abstract name with the length of the address.
        int length = isAbstract ? bytes.length : bytes.length + 1;
        if (bytes.length == 0 || length > LONGEST) {
            throw new SysException("address a Unix socket as \"" + name + "\"", Errno.ENAMETOOLONG);
        }
        if (isAbstract) {
            bytes[0] = 0;
        }
        ByteBuffer address = ByteBuffer.allocateDirect(Short.BYTES + length).order(ByteOrder.nativeOrder());
        return address.putShort((short) AF_UNIX).put(bytes).position(0);
    }

    /** Sends one datagram; {@code EAGAIN} when the receiver has not read in time. */
    public void send(byte[] bytes) throws SysException {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        Libc libc = NativeLibc.libc();
        int number = fd.enter("send");
        try {
            NativeLibc.retry("send", () -> libc.send(number, direct, direct.remaining(), flags));
        } finally {
            fd.leave();
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
