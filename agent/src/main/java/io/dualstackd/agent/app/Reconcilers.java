package io.dualstackd.agent.app;

import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.agent.reconcile.io.FamilyReconciler;
import io.dualstackd.agent.reconcile.io.ReconcilerFactory;
import io.dualstackd.agent.reconcile.io.RuleSetWatcher;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.TranslatedFlows;
import io.dualstackd.dataplane.counters.io.ConntrackFlows;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pages.health.io.HealthState;
import io.dualstackd.pages.health.io.ServiceHealthPorts;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The reconcilers, one per family, with the parts that feed and observe them, and the thread that receives external changes of rules. */
final class Reconcilers implements AutoCloseable {
    private final DaemonSettings settings;
    private final Effects effects;
    private final HealthState board;
    private final ServiceHealthPorts ports;
    private final Platform platform;
    private final RuleSetWatcher watcher;
    private final Effects.Remover leftovers;
    private final List<Family> families;

    /**
     * @param board where the reconcilers record their health
     * @param observers makes what else observes one reconciler
     */
    Reconcilers(
            DaemonSettings settings,
            Effects effects,
            StoreDesiredState.Sources sources,
            HealthState board,
            ServiceHealthPorts ports,
            Function<IpFamily, Stream<SyncObserver>> observers,
            Platform platform) {
        this.settings = settings;
        this.effects = effects;
        this.board = board;
        this.ports = ports;
        this.platform = platform;
        this.watcher = new RuleSetWatcher(effects.netlink(), platform);
        NetlinkKernel.Open open = () -> watcher.own(effects.netlink().open(NlProtocol.NETFILTER));
        this.leftovers = effects.leftovers().of(settings, open, watcher.generations());
        SyncObserver removal = SyncObserver.ofStatus(leftovers.onStatus());
        this.families = settings.families().stream()
                .map(family ->
                        new Family(family, sources, open, Stream.concat(Stream.of(removal), observers.apply(family))))
                .toList();
    }

    /** The parts of one family. */
    private final class Family {
        final FamilyMeter meter;
        final ReconcilerHealth health;
        final FamilyReconciler reconciler;
        final Optional<ConnectionCounts> counts;
        final TranslatedFlows flows;
        final LastChanges changes;
        private final StoreDesiredState desired;

        Family(
                IpFamily family,
                StoreDesiredState.Sources sources,
                NetlinkKernel.Open open,
                Stream<SyncObserver> observers) {
            meter = new FamilyMeter(family, platform.instant(), this::waiting);
            Wakeup wakeup = new Wakeup(platform, () -> {
                board.queued(family);
                meter.queued(platform.instant(), platform.nanoTime());
            });
            desired = new StoreDesiredState(family, sources, wakeup);
            health = new ReconcilerHealth(family, board, ports);
            Syncer syncer = ReconcilerFactory.syncer(
                    family,
                    settings,
                    () -> new TimedTransport(open.transport(), platform, meter::transaction),
                    watcher);
            counts = ReconcilerFactory.counts(family, syncer, settings, effects.netlink());
            flows = new ConntrackFlows(family, effects.netlink());
            changes = new LastChanges(platform);
            reconciler = new FamilyReconciler(
                    family,
                    syncer,
                    ReconcilerFactory.sweep(family, settings, effects.netlink()),
                    desired,
                    wakeup,
                    ReconcilerFactory.intervals(settings),
                    Stream.concat(Stream.of(new ReconcilerMeter(meter, platform), health, changes), observers)
                            .toList());
        }

        /** Bound late, because of a cycle: the meter counts what the desired state has not handed out, whose changes it meters. */
        private ChangeMetadata.Counts waiting() {
            return desired.waiting().counts(meter.family());
        }

        IpFamily family() {
            return reconciler.family();
        }
    }

    /** Starts the reconcilers, which prepare themselves until everything they need has been read, and then the watcher. */
    void start(Supervisor supervisor) {
        for (Family each : families) {
            each.reconciler.start();
            var _ = supervisor.heartbeat(
                    each.family() == IpFamily.IPV4 ? Component.DATAPLANE_IPV4 : Component.DATAPLANE_IPV6,
                    each.reconciler::lastBeat);
        }
        watcher.start(
                families.stream()
                        .map(each -> new RuleSetWatcher.Watched(
                                each.reconciler, ReconcilerFactory.ownedObjects(each.family(), settings)))
                        .toList(),
                supervisor);
    }

    /** Applies the intervals of other settings. */
    void follow(DaemonSettings now) {
        families.forEach(each -> each.reconciler.intervals(ReconcilerFactory.intervals(now)));
    }

    List<FamilyStatus> statuses() {
        return families.stream().map(each -> each.reconciler.status()).toList();
    }

    List<FamilyMeter> meters() {
        return families.stream().map(each -> each.meter).toList();
    }

    /** Counts of connections, one for each family that is counted. */
    List<ConnectionCounts> counts() {
        return families.stream().flatMap(each -> each.counts.stream()).toList();
    }

    /** The translated connections, one for each family. */
    List<TranslatedFlows> flows() {
        return families.stream().map(each -> each.flows).toList();
    }

    /** When a change of a Service was last put in force in either family. */
    Optional<Instant> lastChange(ServiceKey service) {
        return families.stream()
                .flatMap(each -> each.changes.of(service).stream())
                .max(Comparator.naturalOrder());
    }

    FamilyMeter meter(IpFamily family) {
        return meters().stream()
                .filter(meter -> meter.family() == family)
                .findFirst()
                .orElseThrow();
    }

    /** The oldest of the last heartbeats of all reconcilers, by {@link System#nanoTime}. */
    long oldestBeat() {
        long now = platform.nanoTime();
        // Values of nanoTime may wrap around; their differences do not.
        return now
                - families.stream()
                        .mapToLong(each -> now - each.reconciler.lastBeat())
                        .max()
                        .orElse(0);
    }

    /** The Services that the kernel refuses, and why. */
    Map<ServiceKey, String> leftOut() {
        Map<ServiceKey, String> leftOut = new HashMap<>();
        for (FamilyStatus status : statuses()) {
            status.lastSync()
                    .ifPresent(last -> last.leftOut()
                            .forEach((service, why) ->
                                    leftOut.merge(service, status.family() + ": " + why, (a, b) -> a + "; " + b)));
        }
        return leftOut;
    }

    /** What other modes left and could not be removed yet, and chains of our own that cannot be, and why: one sentence for each. */
    List<String> leftovers() {
        return Stream.concat(
                        leftovers.notes().get().stream(),
                        statuses().stream()
                                .flatMap(status -> status.lastSync().stream()
                                        .flatMap(last -> last.emptied().stream())
                                        .map(chain -> "chain " + chain + " of " + status.family()
                                                + " serves nothing any more and stays empty: a rule of another program"
                                                + " jumps to it; delete that rule")))
                .toList();
    }

    /**
     * Families in which Services have node ports but the node has no address for them: one sentence for each.
     *
     * @param given the configured addresses; a family that the administrator left out is not reported
     */
    List<String> unansweredNodePorts(Optional<NodeIps> given) {
        return families.stream()
                .filter(each ->
                        given.map(wanted -> wanted.mentions(each.family())).orElse(true))
                .flatMap(each -> each.health.unansweredNodePorts().stream())
                .toList();
    }

    @Override
    public void close() {
        watcher.close();
        // What one leaves to the next process is only right when no other one changes the rule set afterwards.
        families.forEach(each -> each.reconciler.stop());
        families.forEach(each -> each.reconciler.close());
    }
}
