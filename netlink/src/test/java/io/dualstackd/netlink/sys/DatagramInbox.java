package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.AF_UNIX;
import static io.dualstackd.netlink.sys.LinuxNumbers.MSG_DONTWAIT;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_CLOEXEC;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_DGRAM;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Where datagrams to a Unix socket arrive, as at systemd. */
public final class DatagramInbox implements AutoCloseable {
    private final Fd fd;

    private DatagramInbox(Fd fd) {
        this.fd = fd;
    }

    /** @param name a path that does not exist yet, or an abstract name with {@code @} in front */
    public static DatagramInbox at(String name) throws SysException {
        Libc libc = NativeLibc.libc();
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes[0] == '@') {
            bytes[0] = 0;
        }
        ByteBuffer address = ByteBuffer.allocateDirect(Short.BYTES + bytes.length)
                .order(ByteOrder.nativeOrder())
                .putShort((short) AF_UNIX)
                .put(bytes)
                .position(0);
        Fd fd = new Fd(
                (int) NativeLibc.retry("socket", () -> libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)), "inbox");
        NativeLibc.retry("bind", () -> libc.bind(fd.number(), address, address.remaining()));
        return new DatagramInbox(fd);
    }

    /** The next datagram, without waiting. */
    public Optional<String> poll() throws SysException {
        ByteBuffer into = ByteBuffer.allocateDirect(4096);
        Libc libc = NativeLibc.libc();
        long length = libc.recvfrom(fd.number(), into, into.remaining(), MSG_DONTWAIT, null, null);
        if (length < 0) {
            Errno errno = NativeLibc.errno();
            if (errno.equals(Errno.EAGAIN)) {
                return Optional.empty();
            }
            throw new SysException("receive", errno);
        }
        byte[] bytes = new byte[(int) length];
        into.get(bytes);
        return Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        fd.close();
    }
}
