package io.dualstackd.nodeaddr.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.Notification;
import io.dualstackd.netlink.io.RouteSubscription;
import io.dualstackd.nodeaddr.Host;
import java.time.Duration;
import java.util.Objects;

/** Follows a host on a thread of its own, {@code addresses}. */
public final class HostWatch implements AutoCloseable {
    /**
     * Counters of the work done by a watch.
     *
     * @param reads reads of links and addresses
     * @param routeLists those of them that also listed default routes
     * @param reopened how often subscriptions and sockets were reopened after a failure
     */
    public record Work(long reads, long routeLists, long reopened) {}

    private final Sources sources;
    private final Debounce debounce;
    private final HostListener listener;
    private final WatchTiming timing;
    private final WatchTiming.End closed;
    private volatile RouteSubscription changes;
    private volatile Work work = new Work(0, 0, 0);
    private volatile Host published;
    private volatile boolean begun;
    private HostReader reader;
    /** The host as last read; {@link #published} lags behind while the host keeps changing. */
    private Host seen;
    /** The host as the listener last took it; what it failed to take is reported again. */
    private Host reported;

    /** The subscription and the reader of a watch; reopened after every failure. */
    public interface Sources {
        RouteSubscription subscribe() throws NetlinkException;

        HostReader reader() throws NetlinkException;

        static Sources of(NetlinkSockets sockets) {
            return new Sources() {
                @Override
                public RouteSubscription subscribe() throws NetlinkException {
                    return HostReader.subscribe(sockets);
                }

                @Override
                public HostReader reader() throws NetlinkException {
                    return HostReader.open(sockets);
                }
            };
        }
    }

    private HostWatch(Sources sources, WatchTiming timing, Debounce debounce, HostListener listener)
            throws NetlinkException {
        this.timing = timing;
        this.closed = timing.end();
        this.sources = sources;
        this.debounce = debounce;
        this.listener = listener;
        // Subscribed before the first read, so that no change in between is missed.
        changes = sources.subscribe();
        try {
            reader = sources.reader();
            try {
                seen = read(RefreshScope.ALL, Host.EMPTY);
            } catch (NetlinkException e) {
                reader.close();
                throw e;
            }
        } catch (NetlinkException e) {
            changes.close();
            throw e;
        }
        published = seen;
        reported = seen;
    }

    /**
     * Reads the host; later changes are not missed, but reported only after {@link #begin}.
     *
     * @throws NetlinkException when the kernel does not answer now; later failures are reported to {@code listener}
     */
    public static HostWatch open(Sources sources, WatchTiming timing, Debounce debounce, HostListener listener)
            throws NetlinkException {
        return new HostWatch(sources, timing, debounce, listener);
    }

    /** Starts following on a thread of its own. To be called once. */
    public HostWatch begin() {
        begun = true;
        timing.start("addresses", this::follow);
        return this;
    }

    /** The host as last reported to the listener, at first as it was at the start. */
    public Host host() {
        return published;
    }

    public Work work() {
        return work;
    }

    private Host read(RefreshScope refreshScope, Host before) throws NetlinkException {
        Work so = work;
        work = new Work(so.reads() + 1, so.routeLists() + (refreshScope == RefreshScope.ALL ? 1 : 0), so.reopened());
        return reader.read(refreshScope, before);
    }

    private void follow() {
        RefreshScope scope = RefreshScope.NOTHING;
        Duration pause = debounce.retry();
        boolean lost = false;
        while (!closed.hasCome()) {
            listener.alive();
            try {
                if (lost) {
                    reopen();
                    scope = settle(RefreshScope.ALL);
                    lost = false;
                    pause = debounce.retry();
                    listener.followsAgain();
                }
                scope = settle(await(scope));
            } catch (NetlinkException | RuntimeException e) {
                if (closed.hasCome()) {
                    break;
                }
                if (!lost) {
                    listener.cannotFollow(Objects.toString(e.getMessage(), e.toString()));
                }
                lost = true;
                scope = RefreshScope.NOTHING;
                pause = pause(pause);
            }
        }
        changes.close();
        reader.close();
    }

    /** Waits for notifications, and until there are no more; {@code already} is known and has not been read yet. */
    private RefreshScope await(RefreshScope already) throws NetlinkException {
        RefreshScope scope = already;
        long again = timing.nanoTime() + debounce.again().toNanos();
        while (scope == RefreshScope.NOTHING) {
            Duration left = Duration.ofNanos(Math.max(0, again - timing.nanoTime()));
            if (left.isZero()) {
                return RefreshScope.ALL;
            }
            listener.alive();
            scope = awaitScope(left.compareTo(listener.pulse()) < 0 ? left : listener.pulse());
        }
        long latest = timing.nanoTime() + debounce.longest().toNanos();
        long quiet = timing.nanoTime() + debounce.quiet().toNanos();
        while (true) {
            long now = timing.nanoTime();
            long until = quiet - latest < 0 ? quiet : latest;
            if (until - now <= 0) {
                return scope;
            }
            RefreshScope more = awaitScope(Duration.ofNanos(until - now));
            if (more != RefreshScope.NOTHING) {
                quiet = timing.nanoTime() + debounce.quiet().toNanos();
                scope = scope.and(more);
            }
        }
    }

    private RefreshScope awaitScope(Duration within) throws NetlinkException {
        return switch (changes.next(within)) {
            case Notification.Quiet() -> RefreshScope.NOTHING;
            case Notification.Lost() -> RefreshScope.ALL;
            case Notification.Changes(var some) -> reader.of(some, seen);
        };
    }

    /**
     * Reads the host and reports it. When it changed during the read, the lists may be inconsistent, and it is read once more before it is
     * reported; but only once, because otherwise a flapping link would delay all other changes.
     *
     * @return the scope of changes that happened meanwhile
     */
    private RefreshScope settle(RefreshScope refreshScope) throws NetlinkException {
        seen = read(refreshScope, seen);
        RefreshScope since = reader.pendingScope(changes, seen);
        if (since != RefreshScope.NOTHING) {
            seen = read(await(since), seen);
            since = reader.pendingScope(changes, seen);
        }
        if (!seen.equals(reported)) {
            // The listener may ask for it.
            published = seen;
            listener.changed(seen);
            reported = seen;
        }
        return since;
    }

    private void reopen() throws NetlinkException {
        changes.close();
        reader.close();
        Work so = work;
        work = new Work(so.reads(), so.routeLists(), so.reopened() + 1);
        changes = sources.subscribe();
        reader = sources.reader();
        if (closed.hasCome()) {
            changes.close();
        }
    }

    private Duration pause(Duration pause) {
        try {
            boolean ignored = closed.await(pause);
        } catch (InterruptedException e) {
            closed.come();
        }
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(debounce.slowest()) < 0 ? twice : debounce.slowest();
    }

    @Override
    public void close() {
        closed.come();
        changes.close();
        if (!begun) {
            reader.close();
        }
    }
}
