package io.dualstackd.agent.notify.io;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.agent.notify.NotifyState;
import io.dualstackd.agent.notify.SdNotification;
import io.dualstackd.agent.notify.ServiceEnvironment;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NativeAccessException;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.sys.UnixDatagrams;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to systemd if it started this process; otherwise does nothing. Call {@link #connect} first, {@link #follow} when the
 * daemon runs, {@link #close} when it is about to end. Thread-safe.
 */
public final class ServiceManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");
    /** The interval at which the status is checked without a call. */
    private static final Duration LOOK = Duration.ofSeconds(10);
    /** The time a send may take: systemd may be busy with thousands of units, and the buffer of its socket is small. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Optional<UnixDatagrams> socket;
    private final Optional<Duration> watchdog;
    private final Semaphore called = new Semaphore(0);
    private final Map<IpFamily, Reported> reported = new ConcurrentHashMap<>();
    private final AtomicBoolean refused = new AtomicBoolean();
    private volatile boolean over;
    /** Whether the rules have been in force since the last start. Before, READY would be false, and systemd starts what waits for it. */
    private volatile boolean ready;
    /** Whether the end of a reload could not be sent: until systemd has it, the service counts as reloading. */
    private boolean endOwed;
    /** Held while the begin or the end of a reload is sent, so that systemd receives them in order. */
    private final Object reloads = new Object();

    private @Nullable Worker worker;
    private NotifyState notifyState = NotifyState.begun(System.nanoTime());

    private ServiceManager(Optional<UnixDatagrams> socket, Optional<Duration> watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /** Connects to the socket of the environment. Without a socket, all methods do nothing. */
    public static ServiceManager connect(ServiceEnvironment environment) {
        return connect(environment, TIMEOUT);
    }

    static ServiceManager connect(ServiceEnvironment environment, Duration timeout) {
        Optional<UnixDatagrams> socket = Optional.empty();
        if (environment.socket().isPresent()) {
            try {
                socket = Optional.of(UnixDatagrams.to(environment.socket().get(), timeout));
            } catch (SysException | NativeAccessException e) {
                LOG.warn("systemd cannot be notified reason=\"{}\" next=go-on-without", e.getMessage());
            }
        }
        return new ServiceManager(socket, environment.watchdog());
    }

    /**
     * Sends the status to systemd from now on.
     *
     * @param report the current status
     * @param oldestBeat the oldest of the last heartbeats of all reconcilers, in nanoseconds of {@link System#nanoTime}
     */
    public synchronized void follow(Supplier<StatusReport> report, LongSupplier oldestBeat, Supervisor supervisor) {
        if (socket.isPresent() && !over) {
            notifyState = notifyState.again(System.nanoTime());
            worker = supervisor
                    .worker(Component.NOTIFY, heartbeat -> live(report, oldestBeat, heartbeat))
                    .start();
        }
    }

    /** Receives the status of a reconciler after every sync. Sending it must not delay the reconciler. */
    public void onStatus(FamilyStatus status) {
        if (socket.isEmpty()) {
            return;
        }
        boolean well = status.lastSync().map(pass -> pass.leftOut().isEmpty()).orElse(true);
        Reported now = new Reported(status.state(), well);
        if (!now.equals(reported.put(status.family(), now)) && called.availablePermits() == 0) {
            called.release();
        }
    }

    private record Reported(FamilyStatus.State state, boolean complete) {}

    /** Signals that the daemon starts anew in the same process; {@link #follow} must come next. */
    public synchronized void startingAgain() {
        if (worker != null) {
            worker.interrupt();
            worker.join();
            worker = null;
        }
        reported.clear();
        ready = false;
        sayReloading();
    }

    /**
     * Signals that the configuration is being read again; {@link #reloaded} must follow, whatever the result. During a start, which this is
     * then a part of, neither does anything.
     */
    public void reloading() {
        if (ready) {
            sayReloading();
        }
    }

    private void sayReloading() {
        synchronized (reloads) {
            endOwed = false;
            // CLOCK_MONOTONIC is what this counts on Linux.
            boolean ignored = say(List.of(new SdNotification.Reloading(System.nanoTime() / 1000)));
        }
    }

    public void reloaded() {
        synchronized (reloads) {
            if (ready) {
                endOwed = true;
                sayOwed();
            }
        }
    }

    private void sayOwed() {
        synchronized (reloads) {
            endOwed = endOwed && !say(List.of(new SdNotification.Ready()));
        }
    }

    private void live(Supplier<StatusReport> report, LongSupplier oldestBeat, Heartbeat heartbeat)
            throws InterruptedException {
        long pause = watchdog.map(every -> every.dividedBy(4))
                .filter(quarter -> quarter.compareTo(LOOK) < 0)
                .orElse(LOOK)
                .toMillis();
        while (!over) {
            heartbeat.beat();
            sayOwed();
            NotifyState.Step step =
                    notifyState.next(System.nanoTime(), report.get(), watchdog.isPresent(), oldestBeat.getAsLong());
            ready = step.then().ready();
            if (say(step.notices())) {
                notifyState = step.then();
            }
            boolean ignored = called.tryAcquire(
                    Math.max(1, Math.min(pause, heartbeat.longestWait().toMillis())), TimeUnit.MILLISECONDS);
            called.drainPermits();
        }
    }

    /** Returns whether the notifications were sent. */
    private boolean say(List<SdNotification> notices) {
        if (socket.isEmpty() || notices.isEmpty()) {
            return true;
        }
        try {
            socket.get().send(SdNotification.datagram(notices));
            refused.set(false);
            return true;
        } catch (SysException e) {
            if (!refused.getAndSet(true)) {
                LOG.warn("systemd does not receive notifications reason=\"{}\" next=send-again", e.getMessage());
            }
            return false;
        }
    }

    /** Sends that the shutdown has begun. */
    @Override
    public synchronized void close() {
        if (over) {
            return;
        }
        over = true;
        if (worker != null) {
            worker.interrupt();
            worker.join();
        }
        boolean ignored = say(List.of(
                new SdNotification.Stopping(), new SdNotification.Status("stopping; rules stay in the kernel")));
        socket.ifPresent(UnixDatagrams::close);
    }
}
