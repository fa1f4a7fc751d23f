package io.dualstackd.agent.reconcile.io;

import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.dataplane.watch.ChangeCoalescer;
import io.dualstackd.dataplane.watch.ExternalChange;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.dataplane.watch.OwnedObjects;
import io.dualstackd.dataplane.watch.PartialRead;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftMonitor;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.io.Notification;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftGeneration;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftMessageView;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives every change of the namespace's rules and notifies a reconciler at once when another program changed its objects. The thread
 * starts to listen when every reconciler has tried its first sync, so that the kernel need not report our own first load to us; earlier
 * changes are found by comparing versions of the rule set.
 */
public final class RuleSetWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("rules");
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final NetlinkSockets sockets;
    private final Generations generations = new Generations();
    private final RuleSetGate ruleSetGate = new RuleSetGate();
    private final OwnPortIds own = new OwnPortIds(this::ignoreOwn);
    private final Platform.Latch closed;
    private List<Watched> watched = List.of();
    private @Nullable Worker worker;
    private volatile @Nullable NftMonitor monitor;
    /** Whether notifications were lost; until that is reported, no generation is accounted for. Used by the thread of the worker. */
    private boolean lost;

    /** One reconciler, and which objects are its own. */
    public static final class Watched {
        private final FamilyReconciler reconciler;
        private final OwnedObjects ours;
        private final ChangeCoalescer changeCoalescer = new ChangeCoalescer();

        public Watched(FamilyReconciler reconciler, OwnedObjects ours) {
            this.reconciler = reconciler;
            this.ours = ours;
        }
    }

    /** @param sockets of the namespace whose rules are watched */
    public RuleSetWatcher(NetlinkSockets sockets, Platform platform) {
        this.sockets = sockets;
        this.closed = platform.latch();
    }

    /** Registers what is done through {@code transport} as our own; to be called before anything is sent. */
    public NlTransport own(NlTransport transport) {
        return own.add(transport);
    }

    /** The versions that are accounted for, shared with the reconcilers. */
    public Generations generations() {
        return generations;
    }

    /** The gate shared by all reconcilers of the namespace. */
    public RuleSetGate ruleSetGate() {
        return ruleSetGate;
    }

    public void start(List<Watched> reconcilers, Supervisor supervisor) {
        watched = List.copyOf(reconcilers);
        worker = supervisor.worker(Component.RULES, this::run).start();
    }

    private void run(Heartbeat heartbeat) throws InterruptedException {
        // No heartbeat is due while the sources are read.
        heartbeat.idle();
        for (Watched each : watched) {
            each.reconciler.awaitFirstSync();
        }
        while (!closed.isOpen()) {
            heartbeat.beat();
            listenAndReport(heartbeat);
        }
    }

    private void listenAndReport(Heartbeat heartbeat) throws InterruptedException {
        try (NftMonitor opened = NftMonitor.open(sockets, this::wants)) {
            monitor = opened;
            ignoreOwn();
            generations.accountFrom(generation());
            watched.forEach(each -> each.reconciler.requestProbe());
            listen(opened, heartbeat);
        } catch (NetlinkException.Closed e) {
            LOG.debug("closed");
        } catch (NetlinkException | RuntimeException e) {
            if (!closed.isOpen()) {
                LOG.warn(
                        "external changes cannot be received reason=\"{}\" next=compare-every-sync-period retrySeconds={}",
                        e.getMessage(),
                        RETRY.toSeconds());
                boolean ignored = closed.await(RETRY);
            }
        } finally {
            monitor = null;
        }
    }

    private void listen(NftMonitor opened, Heartbeat heartbeat) throws NetlinkException {
        lost = false;
        while (!closed.isOpen()) {
            heartbeat.beat();
            // The kernel reports lost notifications only once, until everything that waits has been read.
            switch (opened.next(lost ? Duration.ZERO : heartbeat.longestWait())) {
                case Notification.Changes(var changes) -> changes.forEach(each -> receive(each.change()));
                case Notification.Lost() -> lost = true;
                case Notification.Quiet() -> {
                    if (lost) {
                        unknown();
                        lost = false;
                    }
                }
            }
        }
    }

    /** Whether to decode a message; also handles the messages that need no decoding. */
    private boolean wants(NftMessageView message) {
        if (own.contains(message.portId())) {
            return false;
        }
        if (message.type() == NftMessageType.NEW_GENERATION) {
            return true;
        }
        for (Watched each : watched) {
            switch (each.ours.partialRead(message)) {
                case PartialRead.Nothing ignored -> {}
                case PartialRead.Ours(var change) -> {
                    each.changeCoalescer.add(change);
                    return false;
                }
                case PartialRead.Unclear ignored -> {
                    return true;
                }
            }
        }
        return false;
    }

    private void receive(NftChange change) {
        if (change instanceof NftChange.Committed(NftGeneration generation)) {
            ChangeAuthor changeAuthor = new ChangeAuthor(generation.processName(), generation.processId());
            for (Watched each : watched) {
                if (!each.changeCoalescer.isEmpty()) {
                    each.reconciler.onExternalChange(new ExternalChange(each.changeCoalescer.take(), changeAuthor));
                }
            }
            // Last: a reconciler that finds the version accounted for must have been notified of its changes.
            if (!lost) {
                generations.account(generation.id());
            }
        } else {
            watched.forEach(each -> each.ours.judge(change).ifPresent(each.changeCoalescer::add));
        }
    }

    private void unknown() throws NetlinkException {
        generations.accountFrom(generation());
        watched.forEach(each -> {
            each.changeCoalescer.clear();
            each.reconciler.onExternalChange(ExternalChange.UNKNOWN);
        });
    }

    private int generation() throws NetlinkException {
        try (NftClient kernel = NftClient.open(sockets)) {
            return kernel.generation().id();
        }
    }

    private synchronized void ignoreOwn() {
        NftMonitor open = monitor;
        if (open != null) {
            try {
                open.ignore(own.portIds());
            } catch (NetlinkException e) {
                // Their messages are then received, and ignored here.
                LOG.debug("own port IDs are unknown reason=\"{}\"", e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        closed.open();
        NftMonitor open = monitor;
        if (open != null) {
            open.close();
        }
        Worker running = worker;
        if (running != null) {
            running.interrupt();
        }
    }
}
