package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.AF_INET;
import static io.dualstackd.netlink.sys.LinuxNumbers.CLONE_NEWNET;
import static io.dualstackd.netlink.sys.LinuxNumbers.O_RDONLY;
import static io.dualstackd.netlink.sys.LinuxNumbers.SOL_SOCKET;
import static io.dualstackd.netlink.sys.LinuxNumbers.SO_NETNS_COOKIE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/**
 * A network namespace held open. A namespace lives as long as something holds it: an {@link #create anonymous} one ends with this object
 * or, in any case, with the process.
 *
 * <p>Note that {@link java.net.NetworkInterface} does not work inside: the JDK reads IPv6 interfaces from {@code /proc/net}, which is that
 * of the process, not of the thread.
 */
public final class NetNs implements AutoCloseable {
    private static final String OWN = "/proc/thread-self/ns/net";

    private final Fd fd;

    private NetNs(Fd fd) {
        this.fd = fd;
    }

    /**
     * Creates a new, empty, anonymous namespace: only {@code lo}, which is down. Needs CAP_SYS_ADMIN.
     *
     * @throws SysException with {@code EPERM} when that capability is missing
     */
    public static NetNs create() throws SysException {
        try {
            return onThrowAwayThread("netns-create", () -> {
                Libc libc = NativeLibc.libc();
                NativeLibc.retry("make a network namespace", () -> libc.unshare(CLONE_NEWNET));
                return current();
            });
        } catch (SysException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    /** The namespace of the calling thread. */
    public static NetNs current() throws SysException {
        return new NetNs(Fd.open(OWN, O_RDONLY));
    }

    /** The kernel's name of the namespace, {@code net:[4026531840]}: equal for two objects that hold the same namespace. */
    public String id() {
        if (fd.isClosed()) {
            return "closed";
        }
        try {
            // Not the target of the link: for a named namespace that is the path of the name.
            return "net:[" + inode("/proc/self/fd/" + fd.number()) + "]";
        } catch (IOException e) {
            return "closed";
        }
    }

    /**
     * The number of the namespace that no other one has had since the kernel was booted, {@code SO_NETNS_COOKIE}; empty on Linux before
     * 5.14. Unlike {@link #id}, which the kernel gives to another namespace when this one is gone.
     */
    public OptionalLong cookie() throws SysException {
        try {
            return call(() -> {
                try (Fd socket = Sockets.internet(AF_INET)) {
                    ByteBuffer cookie = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
                    int length = Sockets.option(socket, SOL_SOCKET, SO_NETNS_COOKIE, cookie);
                    return length == Long.BYTES ? OptionalLong.of(cookie.getLong(0)) : OptionalLong.empty();
                } catch (SysException e) {
                    if (e.errno().equals(Errno.ENOPROTOOPT)) {
                        return OptionalLong.empty();
                    }
                    throw e;
                }
            });
        } catch (SysException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    /** The descriptor for {@code IFLA_NET_NS_FD}; stays owned by this object. */
    public Fd fd() {
        return fd;
    }

    /**
     * Runs code in the namespace, on a thread created for it. Sockets opened there stay in this namespace wherever they are used later.
     * Waits for the end; an interrupt of the waiting thread is passed on to the code.
     *
     * @throws Exception what the code throws, or {@link SysException} when the namespace cannot be entered
     */
    public <T> T call(Callable<T> code) throws Exception {
        return onThrowAwayThread("netns", () -> {
            enterForGood();
            return code.call();
        });
    }

    /** Moves the calling thread into this namespace for the rest of its life, so this is called only on threads created for it. */
    private void enterForGood() throws SysException {
        if (!fd.isClosed() && isOwn()) {
            // Entering requires CAP_SYS_ADMIN, even for the current namespace; most daemons should not have it.
            return;
        }
        Libc libc = NativeLibc.libc();
        int number = fd.enter("enter network namespace");
        try {
            NativeLibc.retry("enter network namespace", () -> libc.setns(number, CLONE_NEWNET));
        } finally {
            fd.leave();
        }
    }

    /** Whether the calling thread is in this namespace. */
    private boolean isOwn() {
        try {
            return inode("/proc/self/fd/" + fd.number()).equals(inode(OWN));
        } catch (IOException e) {
            return false;
        }
    }

    private static Object inode(String path) throws IOException {
        return Files.getAttribute(Path.of(path), "unix:ino");
    }

    @Override
    public void close() {
        fd.close();
    }

    @Override
    public String toString() {
        return id();
    }

    /**
     * Runs code on a platform thread that ends afterwards. This keeps {@code setns} and {@code unshare} without side effects: they change
     * one thread of the operating system, and no other code ever runs on that one.
     */
    private static <T> T onThrowAwayThread(String name, Callable<T> code) throws Exception {
        return ThreadTask.start(name, code).await();
    }
}
