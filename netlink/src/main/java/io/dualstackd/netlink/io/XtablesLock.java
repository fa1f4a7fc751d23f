package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.sys.WholeFileLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock taken by all programs that change tables of iptables legacy, because the kernel has none: a program that replaces a table
 * removes everything that was added to it since the program read it.
 */
public final class XtablesLock {
    /** The environment variable with which the iptables tools select another file. */
    private static final String ENVIRONMENT = "XTABLES_LOCKFILE";

    private static final Path DEFAULT = Path.of("/run/xtables.lock");
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final long LOOK_AGAIN_NANOS = 5_000_000;

    private final Path path;
    private final Duration timeout;

    /** @param timeout how long to wait while another process holds it */
    public XtablesLock(Path path, Duration timeout) {
        this.path = path;
        this.timeout = timeout;
    }

    /** The lock of this host, which the tools use too. */
    public static XtablesLock ofHost(Duration timeout) {
        String other = System.getenv(ENVIRONMENT);
        return new XtablesLock(other == null || other.isEmpty() ? DEFAULT : Path.of(other), timeout);
    }

    /** Holds the lock until it is closed. */
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** @throws LockException naming the holder, or the reason why the lock cannot be taken at all */
    public Held take() throws LockException {
        WholeFileLock lock;
        try {
            lock = WholeFileLock.open(path);
        } catch (SysException e) {
            throw new LockException(
                    e.getMessage() + "; rules of iptables legacy are changed under this lock, shared with the"
                            + " iptables tools: make the file, or mount the host's",
                    e);
        }
        long until = System.nanoTime() + timeout.toNanos();
        try {
            while (!lock.tryExclusive()) {
                if (System.nanoTime() - until > 0 || Thread.currentThread().isInterrupted()) {
                    String holder = holder().map(pid -> "process " + pid).orElse("another process");
                    lock.close();
                    throw new LockException(holder + " has had the lock " + path + " for " + timeout.toMillis()
                            + " ms: rules of iptables legacy cannot be changed until it ends");
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        } catch (SysException e) {
            lock.close();
            throw new LockException("cannot lock " + path + ": " + e.getMessage(), e);
        }
        return lock::close;
    }

    /** Returns {@code 12 (iptables-restor)}; empty where the kernel does not report it. */
    private Optional<String> holder() {
        try {
            String inode = ":" + Files.getAttribute(path, "unix:ino") + " ";
            for (String line : Files.readAllLines(LOCKS, StandardCharsets.US_ASCII)) {
                // 1: FLOCK  ADVISORY  WRITE 4711 00:1b:42 0 EOF
                String[] words = line.strip().split("\\s+", 7);
                if (words.length > 5 && words[1].equals("FLOCK") && (words[5] + " ").endsWith(inode)) {
                    return Optional.of(words[4] + name(words[4]));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String name(String pid) {
        try {
            return " ("
                    + Files.readString(Path.of("/proc", pid, "comm"), StandardCharsets.UTF_8)
                            .strip() + ")";
        } catch (IOException gone) {
            return "";
        }
    }

    /** Thrown when the lock could not be taken; nothing was changed. */
    public static final class LockException extends IOException {
        private static final long serialVersionUID = 1;

        LockException(String message) {
            super(message);
        }

        LockException(String message, SysException reason) {
            super(message, reason);
        }
    }
}
