package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.EFD_CLOEXEC;
import static io.dualstackd.netlink.sys.LinuxNumbers.EFD_NONBLOCK;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An {@code eventfd(2)} that ends the wait of a thread in {@link Sockets#await}. Once raised it stays raised until it is
 * drained. */
public final class EventFd implements AutoCloseable {
    private final Fd fd;

    private EventFd(Fd fd) {
        this.fd = fd;
    }

    public static EventFd create() throws SysException {
        Libc libc = NativeLibc.libc();
        return new EventFd(new Fd(
                (int) NativeLibc.retry("eventfd", () -> libc.eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), "wake-up"));
    }

    /** Wakes the waiting thread. May be called from any thread, any number of times; does nothing after {@link #close()}. */
    public void raise() {
        ByteBuffer one = ByteBuffer.allocateDirect(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(0, 1);
        try {
            int number = fd.enter("wake up");
            try {
                NativeLibc.retry("wake up", () -> NativeLibc.libc().write(number, one, Long.BYTES));
            } finally {
                fd.leave();
            }
        } catch (SysException alreadyClosed) {
            // Closed: no thread can be waiting any more. EAGAIN (the counter is full): raised already.
        }
    }

    /** Resets it, so that the next wait blocks again; a raise since then is not lost as long as the caller looks for work after this. */
    void drain() {
        ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES);
        try {
            int number = fd.enter("drain wake-up");
            try {
                NativeLibc.retry("drain wake-up", () -> NativeLibc.libc().read(number, count, Long.BYTES));
            } finally {
                fd.leave();
            }
        } catch (SysException notRaised) {
            // EAGAIN: nothing to drain.
        }
    }

    Fd fd() {
        return fd;
    }

    @Override
    public void close() {
        fd.close();
    }
}
