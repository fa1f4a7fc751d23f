package io.dualstackd.netlink.sys;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open file descriptor that is closed exactly once. All file descriptors opened here are close-on-exec.
 *
 * <p>It may be closed from any thread. A call that is under way in another thread keeps the number reserved until it returns, so the kernel
 * cannot reuse the number meanwhile; new calls fail with {@code EBADF} at once.
 */
public final class Fd implements AutoCloseable {
    private static final int CLOSED = 1 << 31;

    private final int number;
    private final String name;
    /** The number of calls under way, plus {@link #CLOSED}. */
    private final AtomicInteger state = new AtomicInteger();

    /** Takes ownership of {@code number}; {@code name} describes it in error messages. */
    Fd(int number, String name) {
        this.number = number;
        this.name = name;
    }

    /**
     * Opens a file, close-on-exec.
     *
     * @param flags {@code O_*} of {@code open(2)}
     */
    static Fd open(String path, int flags) throws SysException {
        return open(path, flags, 0);
    }

    /** @param mode permissions of a file that is created */
    static Fd open(String path, int flags, int mode) throws SysException {
        Libc libc = NativeLibc.libc();
        String operation = "open " + path;
        return new Fd(
                (int) NativeLibc.retry(operation, () -> libc.open(path, flags | LinuxNumbers.O_CLOEXEC, mode)), path);
    }

    /** The number, for messages that pass it to the kernel. The caller must keep this object open meanwhile. */
    public int number() {
        return number;
    }

    public boolean isClosed() {
        return state.get() < 0;
    }

    /** Reserves the number for one call; every success is followed by {@link #leave()}. */
    int enter(String operation) throws SysException {
        while (true) {
            int now = state.get();
            if (now < 0) {
                throw new SysException(operation + " on closed " + name, Errno.EBADF);
            }
            if (state.compareAndSet(now, now + 1)) {
                return number;
            }
        }
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            release();
        }
    }

    /** Does nothing when closed already. */
    @Override
    public void close() {
        while (true) {
            int now = state.get();
            if (now < 0) {
                return;
            }
            if (state.compareAndSet(now, now | CLOSED)) {
                if (now == 0) {
                    release();
                }
                return;
            }
        }
    }

    private void release() {
        // Linux frees the number even when close reports EINTR or EIO: a retry could close another file.
        int ignored = NativeLibc.libc().close(number);
    }

    /** {@code fd 12 (/proc/thread-self/ns/net)}. */
    @Override
    public String toString() {
        return "fd " + number + " (" + name + (isClosed() ? ", closed)" : ")");
    }
}
