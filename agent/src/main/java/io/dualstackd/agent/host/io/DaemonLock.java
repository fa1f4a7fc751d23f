package io.dualstackd.agent.host.io;

import io.dualstackd.netlink.sys.Capabilities;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.NetNsLock;
import io.dualstackd.netlink.sys.SysException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that lets only one daemon at a time program a network namespace, whatever its admin socket, container or mode: two would keep
 * reverting each other's work. A process that could not change rules does not count, so that no unprivileged user can keep the daemon from
 * starting.
 */
public final class DaemonLock implements AutoCloseable {
    /** The time a new pod waits for the old one to end: a little longer than the grace period in the manifest. */
    public static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");
    private static final String NAME = "dualstackd";
    private static final long LOOK_AGAIN_NANOS = 100_000_000;

    private final Optional<NetNsLock> lock;

    private DaemonLock(Optional<NetNsLock> lock) {
        this.lock = lock;
    }

    /** Another process programs this network namespace. */
    public static final class Taken extends IOException {
        private static final long serialVersionUID = 1;

        Taken(String message) {
            super(message);
        }
    }

    /**
     * Takes the lock, and waits for another process that holds it.
     *
     * @param note the description of this process that others see
     * @param timeout how long to wait at most
     * @throws Taken when the other process has not ended by then; names it
     */
    public static DaemonLock take(NetNs ns, String note, Duration timeout) throws Taken {
        long start = System.nanoTime();
        boolean logged = false;
        try {
            while (true) {
                Optional<NetNsLock> lock = NetNsLock.tryTake(ns, NAME, note);
                if (lock.isPresent()) {
                    return new DaemonLock(lock);
                }
                boolean late = System.nanoTime() - start >= timeout.toNanos();
                if (!logged || late) {
                    Optional<NetNsLock.Holder> holder = NetNsLock.holder(ns, NAME);
                    if (holder.isPresent() && !mayChangeRules(holder.get())) {
                        LOG.warn(
                                "a process that cannot be a daemon has the lock @{} of this network namespace: it is not known"
                                        + " whether a second daemon runs here holder=\"{}\" next=end-that-process",
                                NAME,
                                words(holder.get()));
                        return new DaemonLock(Optional.empty());
                    }
                    if (late) {
                        throw new Taken(taken(holder, timeout));
                    }
                    if (holder.isPresent()) {
                        logged = true;
                        LOG.info(
                                "waiting for another dualstackd to end holder=\"{}\" timeoutSeconds={}",
                                words(holder.get()),
                                timeout.toSeconds());
                    }
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        } catch (SysException e) {
            LOG.warn("it is not known whether another dualstackd runs here reason=\"{}\"", e.getMessage());
            return new DaemonLock(Optional.empty());
        }
    }

    private static String taken(Optional<NetNsLock.Holder> holder, Duration timeout) {
        return "another dualstackd programs this network namespace ("
                + holder.map(DaemonLock::words).orElse("it does not say which")
                + (timeout.isPositive() ? "), and has not ended within " + timeout.toSeconds() + " s" : ")");
    }

    /** {@code process 4711, mode nftables, admin socket /run/dualstackd/admin.sock}. */
    private static String words(NetNsLock.Holder holder) {
        String process =
                holder.pid() > 0 ? "process " + holder.pid() : "a process of a container that is not seen from here";
        String note = holder.note().replaceAll("\\p{Cntrl}", "?");
        return process + (note.isEmpty() ? ", user " + holder.uid() : ", " + note);
    }

    /** Any user can take the name; only a process of root or of our own user, or one with CAP_NET_ADMIN, is respected. */
    static boolean mayChangeRules(NetNsLock.Holder holder) {
        try {
            if (holder.uid() == 0
                    || Integer.valueOf(holder.uid()).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                return true;
            }
            Path status = Path.of("/proc", Integer.toString(holder.pid()), "status");
            return Capabilities.parse(Files.readString(status, StandardCharsets.UTF_8))
                    .has(Capabilities.NET_ADMIN);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        lock.ifPresent(NetNsLock::close);
    }
}
