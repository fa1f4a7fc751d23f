package io.dualstackd.nodeaddr.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteSubscription;
import io.dualstackd.netlink.io.RouteSubscription.Event;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.nodeaddr.Host;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Follows a host on a thread of its own, {@code addresses}. */
public final class HostWatch implements AutoCloseable {
    /**
     * What following has cost.
     *
     * @param looks links and addresses were listed
     * @param routeLists of those, default routes were listed, too
     * @param reopened subscriptions and sockets were opened anew after a failure
     */
    public record Work(long looks, long routeLists, long reopened) {}

    private final Sources sources;
    private final Debounce debounce;
    private final HostListener listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile RouteSubscription changes;
    private volatile Work work = new Work(0, 0, 0);
    private volatile Host told;
    private volatile boolean begun;
    private HostReader reader;
    /** As read last; {@link #told} lags behind while the host keeps changing. */
    private Host seen;

    /** Where a watch hears and looks; opened again after every failure. */
    interface Sources {
        RouteSubscription subscribe() throws NetlinkException;

        HostReader reader() throws NetlinkException;

        static Sources of(NetNs ns) {
            return new Sources() {
                @Override
                public RouteSubscription subscribe() throws NetlinkException {
                    return HostReader.subscribe(ns);
                }

                @Override
                public HostReader reader() throws NetlinkException {
                    return HostReader.open(ns);
                }
            };
        }
    }

    private HostWatch(Sources sources, Debounce debounce, HostListener listener) throws NetlinkException {
        this.sources = sources;
        this.debounce = debounce;
        this.listener = listener;
        // Subscribed before the first look, so that nothing can change unseen in between.
        changes = sources.subscribe();
        try {
            reader = sources.reader();
            try {
                seen = look(RefreshScope.ALL, Host.EMPTY);
            } catch (NetlinkException e) {
                reader.close();
                throw e;
            }
        } catch (NetlinkException e) {
            changes.close();
            throw e;
        }
        told = seen;
    }

    /**
     * Reads the host of {@code ns}; nothing that changes from now on is missed, but told only after {@link #begin}. The namespace must
     * stay open as long.
     *
     * @throws NetlinkException when the kernel does not answer now; later that is told to {@code listener}
     */
    public static HostWatch open(NetNs ns, Debounce debounce, HostListener listener) throws NetlinkException {
        return open(Sources.of(ns), debounce, listener);
    }

    static HostWatch open(Sources sources, Debounce debounce, HostListener listener) throws NetlinkException {
        return new HostWatch(sources, debounce, listener);
    }

    /** Follows from now on, on a thread of its own. To be called once. */
    public HostWatch begin() {
        begun = true;
        Thread.ofPlatform().daemon().name("addresses").start(this::follow);
        return this;
    }

    /** The host as the listener was told last, at first as it was at the start. */
    public Host host() {
        return told;
    }

    public Work work() {
        return work;
    }

    private Host look(RefreshScope refreshScope, Host before) throws NetlinkException {
        Work so = work;
        work = new Work(so.looks() + 1, so.routeLists() + (refreshScope == RefreshScope.ALL ? 1 : 0), so.reopened());
        return reader.read(refreshScope, before);
    }

    private void follow() {
        RefreshScope news = RefreshScope.NOTHING;
        Duration pause = debounce.retry();
        boolean lost = false;
        while (closed.getCount() > 0) {
            listener.alive();
            try {
                if (lost) {
                    reopen();
                    news = settle(RefreshScope.ALL);
                    lost = false;
                    pause = debounce.retry();
                    listener.followsAgain();
                }
                news = settle(await(news));
            } catch (NetlinkException | RuntimeException e) {
                if (closed.getCount() == 0) {
                    break;
                }
                if (!lost) {
                    listener.cannotFollow(Objects.toString(e.getMessage(), e.toString()));
                }
                lost = true;
                news = RefreshScope.NOTHING;
                pause = pause(pause);
            }
        }
        changes.close();
        reader.close();
    }

    /** Waits for news, and until they have come to an end; {@code already} is known and has not been looked at. */
    private RefreshScope await(RefreshScope already) throws NetlinkException {
        RefreshScope news = already;
        long again = System.nanoTime() + debounce.again().toNanos();
        while (news == RefreshScope.NOTHING) {
            Duration left = Duration.ofNanos(Math.max(0, again - System.nanoTime()));
            if (left.isZero()) {
                return RefreshScope.ALL;
            }
            listener.alive();
            news = heard(left.compareTo(listener.pulse()) < 0 ? left : listener.pulse());
        }
        long latest = System.nanoTime() + debounce.longest().toNanos();
        long quiet = System.nanoTime() + debounce.quiet().toNanos();
        while (true) {
            long now = System.nanoTime();
            long until = quiet - latest < 0 ? quiet : latest;
            if (until - now <= 0) {
                return news;
            }
            RefreshScope more = heard(Duration.ofNanos(until - now));
            if (more != RefreshScope.NOTHING) {
                quiet = System.nanoTime() + debounce.quiet().toNanos();
                news = news.and(more);
            }
        }
    }

    private RefreshScope heard(Duration within) throws NetlinkException {
        return switch (changes.next(within)) {
            case Event.Quiet() -> RefreshScope.NOTHING;
            case Event.Lost() -> RefreshScope.ALL;
            case Event.Changes(var some) -> reader.of(some, seen);
        };
    }

    /**
     * Looks, and tells. When the host changed under the look, the lists may not fit together, and it is looked at once more before
     * anything is told; but only once, or a link that flaps would hide everything else.
     *
     * @return news of what happened meanwhile
     */
    private RefreshScope settle(RefreshScope refreshScope) throws NetlinkException {
        seen = look(refreshScope, seen);
        RefreshScope since = reader.heard(changes, seen);
        if (since != RefreshScope.NOTHING) {
            seen = look(await(since), seen);
            since = reader.heard(changes, seen);
        }
        if (!seen.equals(told)) {
            told = seen;
            listener.changed(seen);
        }
        return since;
    }

    private void reopen() throws NetlinkException {
        changes.close();
        reader.close();
        Work so = work;
        work = new Work(so.looks(), so.routeLists(), so.reopened() + 1);
        changes = sources.subscribe();
        reader = sources.reader();
        if (closed.getCount() == 0) {
            changes.close();
        }
    }

    private Duration pause(Duration pause) {
        try {
            boolean ignored = closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            closed.countDown();
        }
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(debounce.slowest()) < 0 ? twice : debounce.slowest();
    }

    @Override
    public void close() {
        closed.countDown();
        changes.close();
        if (!begun) {
            reader.close();
        }
    }
}
