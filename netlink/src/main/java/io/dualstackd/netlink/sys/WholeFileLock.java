package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.LOCK_EX;
import static io.dualstackd.netlink.sys.LinuxNumbers.LOCK_NB;
import static io.dualstackd.netlink.sys.LinuxNumbers.O_CREAT;
import static io.dualstackd.netlink.sys.LinuxNumbers.O_RDONLY;

import java.nio.file.Path;

/** A file locked as a whole with {@code flock(2)}, which is independent of the locks of the JDK's file channels. */
public final class WholeFileLock implements AutoCloseable {
    /** {@code 0600}. */
    private static final int OWNER_ONLY = 0x180;

    private final Fd fd;

    private WholeFileLock(Fd fd) {
        this.fd = fd;
    }

    /** Opens a file to be locked, and creates it if it does not exist. */
    public static WholeFileLock open(Path path) throws SysException {
        return new WholeFileLock(Fd.open(path.toString(), O_RDONLY | O_CREAT, OWNER_ONLY));
    }

    /** Takes the lock exclusively; false when it is held elsewhere. */
    public boolean tryExclusive() throws SysException {
        Libc libc = NativeLibc.libc();
        int number = fd.enter("flock");
        try {
            NativeLibc.retry("flock " + fd, () -> libc.flock(number, LOCK_EX | LOCK_NB));
            return true;
        } catch (SysException e) {
            if (e.errno().equals(Errno.EAGAIN)) {
                return false;
            }
            throw e;
        } finally {
            fd.leave();
        }
    }

    /** Releases the lock. */
    @Override
    public void close() {
        fd.close();
    }
}
