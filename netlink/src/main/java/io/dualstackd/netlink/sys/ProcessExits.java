package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.POLLIN;
import static io.dualstackd.netlink.sys.LinuxNumbers.SYS_PIDFD_OPEN;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Waits for other processes to end, through file descriptors of the kernel ({@code pidfd_open(2)}, Linux 5.3), and for {@link #wake}.
 *
 * <p>A process id is a number of this process's own pid namespace, and may belong to another process by the time it is watched: an exit is
 * only a hint that the caller must verify.
 *
 * <p>All methods but {@link #wake} and {@link #close} are used by one thread.
 */
public final class ProcessExits implements AutoCloseable {
    private static final int POLLFD_BYTES = 8;

    private final EventFd eventFd;
    private final Map<Integer, Fd> watched = new TreeMap<>();

    private ProcessExits(EventFd eventFd) {
        this.eventFd = eventFd;
    }

    public static ProcessExits create() throws SysException {
        return new ProcessExits(EventFd.create());
    }

    /**
     * Watches exactly these processes from now on; those watched before stay watched without a gap.
     *
     * @return ids of processes that no longer exist. One that cannot be watched for another reason (an old kernel) is left out of both: its
     *     end is not reported
     */
    public Set<Integer> watch(Set<Integer> ids) {
        for (Iterator<Map.Entry<Integer, Fd>> all = watched.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Integer, Fd> one = all.next();
            if (!ids.contains(one.getKey())) {
                one.getValue().close();
                all.remove();
            }
        }
        Set<Integer> missing = new HashSet<>();
        for (int id : ids) {
            if (!watched.containsKey(id)) {
                try {
                    watched.put(id, open(id));
                } catch (SysException e) {
                    if (e.errno().equals(Errno.ESRCH)) {
                        missing.add(id);
                    }
                }
            }
        }
        return Set.copyOf(missing);
    }

    private static Fd open(int id) throws SysException {
        Libc libc = NativeLibc.libc();
        String name = "process " + id;
        // The kernel makes every pidfd close-on-exec.
        return new Fd((int) NativeLibc.retry("watch " + name, () -> libc.syscall(SYS_PIDFD_OPEN, id, 0)), name);
    }

    /**
     * Waits until a watched process has ended or {@link #wake} was called. A process that has ended is no longer watched.
     *
     * @param millis how long at most, 0 or more
     * @return the ids of those that have ended; none after a wakeup or a timeout
     */
    public Set<Integer> await(long millis) throws SysException {
        ByteBuffer fds =
                ByteBuffer.allocateDirect((watched.size() + 1) * POLLFD_BYTES).order(ByteOrder.nativeOrder());
        int number = eventFd.fd().enter("poll");
        try {
            fds.putInt(0, number).putShort(4, POLLIN);
            int at = POLLFD_BYTES;
            for (Fd fd : watched.values()) {
                fds.putInt(at, fd.number()).putShort(at + 4, POLLIN);
                at += POLLFD_BYTES;
            }
            int count = watched.size() + 1;
            int atMost = (int) Math.min(millis, Integer.MAX_VALUE);
            // A signal may prolong the wait; no caller depends on its exact length.
            NativeLibc.retry("poll processes", () -> NativeLibc.libc().poll(fds, count, atMost));
        } finally {
            eventFd.fd().leave();
        }
        if (fds.getShort(6) != 0) {
            eventFd.drain();
        }
        Set<Integer> ended = new HashSet<>();
        int at = POLLFD_BYTES;
        for (Iterator<Map.Entry<Integer, Fd>> all = watched.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Integer, Fd> one = all.next();
            if (fds.getShort(at + 6) != 0) {
                ended.add(one.getKey());
                one.getValue().close();
                all.remove();
            }
            at += POLLFD_BYTES;
        }
        return Set.copyOf(ended);
    }

    /** Ends the current wait, or the next one. May be called from any thread, any number of times. */
    public void wake() {
        eventFd.raise();
    }

    /** To be called after the waiting thread has ended. */
    @Override
    public void close() {
        watched.values().forEach(Fd::close);
        watched.clear();
        eventFd.close();
    }
}
