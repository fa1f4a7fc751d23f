package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.AF_UNIX;
import static io.dualstackd.netlink.sys.LinuxNumbers.MSG_DONTWAIT;
import static io.dualstackd.netlink.sys.LinuxNumbers.MSG_NOSIGNAL;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_CLOEXEC;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOCK_STREAM;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOL_SOCKET;
import static io.dualstackd.netlink.sys.LinuxNumbers.SO_PEERCRED;
import static io.dualstackd.netlink.sys.LinuxNumbers.SO_RCVTIMEO;
import static io.dualstackd.netlink.sys.LinuxNumbers.SO_SNDTIMEO;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock that one process at a time holds in a network namespace: a socket bound to a name of the abstract Unix namespace, of which each
 * network namespace has its own. The kernel frees it when the process ends, in whatever way. Any process may take the name, so {@link
 * Holder} contains the user it runs as.
 *
 * <p>A thread, {@code netns-lock}, sends a note to every process that connects.
 */
public final class NetNsLock implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final int LONGEST_NOTE = 1024;
    private static final int UCRED_BYTES = 12;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final Fd listening;
    private final EventFd end;
    private final Thread thread;

    private NetNsLock(Fd listening, EventFd end, byte[] note) {
        this.listening = listening;
        this.end = end;
        this.thread = Thread.ofPlatform().name("netns-lock").daemon(true).start(() -> tell(note));
    }

    /**
     * The process that holds a lock.
     *
     * @param pid as seen by this process; 0 when it is in a pid namespace that is not visible here
     * @param uid of the user it ran as when it took the lock, as seen in this user namespace
     * @param note the text it passed with the lock; empty when there is none
     */
    public record Holder(int pid, int uid, String note) {}

    /**
     * Takes a lock.
     *
     * @param name without the {@code @} that tools show before such names
     * @param note up to a thousand bytes for {@link #holder}
     * @return empty when another process, or this one, holds it
     */
    public static Optional<NetNsLock> tryTake(NetNs ns, String name, String note) throws SysException {
        ByteBuffer address = UnixDatagrams.address("@" + name);
        Libc libc = NativeLibc.libc();
        Fd fd = socket(ns, name);
        try {
            int number = fd.enter("bind");
            try {
                NativeLibc.retry("bind @" + name, () -> libc.bind(number, address, address.remaining()));
                NativeLibc.retry("listen on @" + name, () -> libc.listen(number, BACKLOG));
            } finally {
                fd.leave();
            }
            return Optional.of(new NetNsLock(fd, EventFd.create(), note.getBytes(StandardCharsets.UTF_8)));
        } catch (SysException e) {
            fd.close();
            if (e.errno().equals(Errno.EADDRINUSE)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The process that holds a lock; empty when it is free, or that process does not answer. */
    public static Optional<Holder> holder(NetNs ns, String name) throws SysException {
        ByteBuffer address = UnixDatagrams.address("@" + name);
        Libc libc = NativeLibc.libc();
        try (Fd fd = socket(ns, name)) {
            Sockets.setOption(fd, SOL_SOCKET, SO_SNDTIMEO, time());
            Sockets.setOption(fd, SOL_SOCKET, SO_RCVTIMEO, time());
            int number = fd.enter("connect");
            try {
                NativeLibc.retry("connect to @" + name, () -> libc.connect(number, address, address.remaining()));
            } catch (SysException notAnswered) {
                return Optional.empty();
            } finally {
                fd.leave();
            }
            ByteBuffer credentials = ByteBuffer.allocateDirect(UCRED_BYTES).order(ByteOrder.nativeOrder());
            Sockets.option(fd, SOL_SOCKET, SO_PEERCRED, credentials);
            return Optional.of(new Holder(credentials.getInt(0), credentials.getInt(Integer.BYTES), note(fd)));
        }
    }

    private static String note(Fd fd) throws SysException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LONGEST_NOTE);
        Libc libc = NativeLibc.libc();
        int number = fd.enter("receive");
        try {
            int length = (int) NativeLibc.retry(
                    "receive a note", () -> libc.recvfrom(number, bytes, bytes.remaining(), 0, null, null));
            return StandardCharsets.UTF_8.decode(bytes.limit(length)).toString();
        } catch (SysException nothingSaid) {
            return "";
        } finally {
            fd.leave();
        }
    }

    private static Fd socket(NetNs ns, String name) throws SysException {
        try {
            return ns.call(() -> new Fd(
                    (int) NativeLibc.retry(
                            "open Unix socket", () -> NativeLibc.libc().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
                    "lock @" + name));
        } catch (SysException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    private static ByteBuffer time() {
        return ByteBuffer.allocateDirect(2 * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(TIMEOUT.toSeconds())
                .putLong(TIMEOUT.toNanosPart() / 1000)
                .flip();
    }

    /** An error here affects only the note: the lock is held by the socket, not by this thread. */
    private void tell(byte[] note) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(note.length).put(note).flip();
        while (!listening.isClosed()) {
            try {
                if (Sockets.await(listening, end, -1) == Sockets.Readiness.READABLE) {
                    tellOne(bytes);
                }
            } catch (SysException outOfFiles) {
                // With a delay: the client is still there, and so is the cause.
                LockSupport.parkNanos(TIMEOUT.toNanos());
            }
        }
    }

    private void tellOne(ByteBuffer note) throws SysException {
        Libc libc = NativeLibc.libc();
        int number = listening.enter("accept");
        try (Fd client = new Fd(
                (int) NativeLibc.retry("accept", () -> libc.accept4(number, null, null, SOCK_CLOEXEC)),
                "client of a lock")) {
            // A client that is gone, or whose buffer is full, does not get the note.
            long ignored = libc.send(client.number(), note, note.remaining(), MSG_NOSIGNAL | MSG_DONTWAIT);
        } finally {
            listening.leave();
        }
    }

    /** Releases the lock. */
    @Override
    public void close() {
        listening.close();
        end.raise();
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end.close();
    }
}
