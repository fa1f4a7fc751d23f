package io.dualstackd.agent.app;

import io.dualstackd.agent.admin.StatusReport;
import io.dualstackd.agent.admin.objects.ObjectsReport;
import io.dualstackd.agent.admin.pods.PodsReport;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.explain.Explainer;
import io.dualstackd.agent.health.HealthPortListener;
import io.dualstackd.agent.health.ShownConfig;
import io.dualstackd.agent.health.io.HealthState;
import io.dualstackd.agent.metrics.FamilyMeter;
import io.dualstackd.agent.metrics.RecentLatencies;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.agent.reconcile.io.FamilyReconciler;
import io.dualstackd.agent.reconcile.io.ReconcilerFactory;
import io.dualstackd.agent.reconcile.io.RuleSetWatcher;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pods.endpoint.LocalPods;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All running parts of the daemon, wired up. They are started together and closed together; the rules stay in the kernel. */
public final class Daemon implements AutoCloseable {
    private final Store store;
    private final ObjectSource source;
    private final Explainer explainer;
    private final NodeAddressTracker addresses;
    private final List<FamilyReconciler> lines;
    private final HealthServers health;
    private final HealthState board;
    private final AtomicReference<NodeSettings> node;
    private final PodNetworks networks;
    private final RuleSetWatcher watch;
    private final Optional<PodModule> pods;
    private final HeapKeeper heap;
    private final ProxyPages pages;
    private final AtomicReference<HealthPortListener> healthPortListener;
    private final Supervisor supervisor;
    private final List<ReconcilerHealth> reconcilerHealth;

    private Daemon(
            Store store,
            ObjectSource source,
            Explainer explainer,
            NodeAddressTracker addresses,
            List<FamilyReconciler> lines,
            HealthServers health,
            HealthState board,
            RuleSetWatcher watch,
            Optional<PodModule> pods,
            HeapKeeper heap,
            ProxyPages pages,
            AtomicReference<NodeSettings> node,
            PodNetworks networks,
            AtomicReference<HealthPortListener> healthPortListener,
            Supervisor supervisor,
            List<ReconcilerHealth> reconcilerHealth) {
        this.supervisor = supervisor;
        this.reconcilerHealth = List.copyOf(reconcilerHealth);
        this.pages = pages;
        this.healthPortListener = healthPortListener;
        this.pods = pods;
        this.heap = heap;
        this.health = health;
        this.board = board;
        this.node = node;
        this.networks = networks;
        this.store = store;
        this.source = source;
        this.explainer = explainer;
        this.addresses = addresses;
        this.lines = List.copyOf(lines);
        this.watch = watch;
    }

    /** As {@link #start(DaemonSettings, ObjectSource, Consumer)}, with the source that the settings name. */
    public static Daemon start(DaemonSettings settings, Consumer<FamilyStatus> listener) throws IOException {
        return start(settings, ObjectSource.open(settings), listener);
    }

    public static Daemon start(DaemonSettings settings, ObjectSource source, Consumer<FamilyStatus> listener)
            throws IOException {
        return start(settings, source, listener, new Supervisor(FatalAction.ofThread()));
    }

    /** As the other {@code start}, with the effects of this host. */
    public static Daemon start(
            DaemonSettings settings, ObjectSource source, Consumer<FamilyStatus> listener, Supervisor supervisor)
            throws IOException {
        return start(settings, source, Effects.system(settings.ns()), listener, supervisor);
    }

    /**
     * Starts the sources, then the reconcilers. Returns at once; the rules are in force when the reconcilers report it.
     *
     * @param source opened, not started; closed with the daemon, and also when the start fails
     * @param effects through which all parts act on the host and learn of it
     * @param listener receives every new status of a reconciler, on the reconciler's thread
     * @param supervisor not started yet; closed with the daemon, and also when the start fails
     * @throws IOException when the folder cannot be watched or the kernel does not answer about addresses
     */
    public static Daemon start(
            DaemonSettings settings,
            ObjectSource source,
            Effects effects,
            Consumer<FamilyStatus> listener,
            Supervisor supervisor)
            throws IOException {
        Platform platform = supervisor.platform();
        List<Runnable> undo = new ArrayList<>(List.of(source::close));
        try {
            undo.add(supervisor::close);
            NodeSettings node = settings.node();
            LocalPods local = new LocalPods(node.name(), settings.pods().localFailover());
            StoreOverlay ofNode = settings.pods().runtime().isPresent() ? local : StoreOverlay.NOTHING;
            Store store = new Store(ofNode, settings.state());
            HeapKeeper heap = effects.heap().apply(platform);
            HealthState board = HealthServers.board(settings, platform);
            Meters meters = new Meters(platform);
            Map<IpFamily, Wakeup> wakeups = new TreeMap<>();
            AtomicReference<NodeSettings> live = new AtomicReference<>(node);
            for (IpFamily family : settings.families()) {
                wakeups.put(family, new Wakeup(platform, () -> {
                    board.queued(family);
                    meters.queued(family);
                }));
            }
            PodNetworks networks = new PodNetworks(settings, live::get, store);
            NodeAddressTracker addresses = NodeAddressTracker.start(
                    node,
                    effects.netlink(),
                    new NodeAddressTracker.Objects(store::isSynced, store::node),
                    effects.names(),
                    supervisor);
            undo.add(addresses::close);
            addresses.onChange(() -> wakeups.values().forEach(Wakeup::signal));
            RuleSetWatcher watch = new RuleSetWatcher(effects.netlink(), platform);
            NetlinkKernel.Open open = () -> watch.own(effects.netlink().open(NlProtocol.NETFILTER));
            Consumer<FamilyStatus> leftovers = effects.leftovers().of(settings, open, watch.generations());
            ProxyPages pages = new ProxyPages(settings, store, board, meters);
            AtomicReference<HealthPortListener> healthPortListener = new AtomicReference<>((service, where, why) -> {});
            HealthServers health = HealthServers.start(
                    settings,
                    effects,
                    board,
                    pages,
                    (service, where, why) -> healthPortListener.get().cannotListen(service, where, why),
                    supervisor);
            undo.add(health::close);
            List<FamilyReconciler> lines = new ArrayList<>();
            List<ReconcilerHealth> allHealth = new ArrayList<>();
            wakeups.forEach((family, wakeup) -> {
                FamilyMeter meter = meters.of(family);
                StoreDesiredState input =
                        new StoreDesiredState(family, live::get, store, addresses, networks::known, wakeup);
                meter.waiting(() -> input.waiting().counts(family));
                ReconcilerHealth reconcilerHealth = new ReconcilerHealth(family, board, health.ports());
                allHealth.add(reconcilerHealth);
                lines.add(new FamilyReconciler(
                        family,
                        ReconcilerFactory.pass(
                                family,
                                settings,
                                () -> new TimedTransport(open.transport(), platform, meter::transaction),
                                watch),
                        ReconcilerFactory.sweep(family, settings, effects.netlink()),
                        input,
                        wakeup,
                        ReconcilerFactory.pace(settings),
                        List.of(
                                new ReconcilerMeter(meter, platform),
                                reconcilerHealth,
                                SyncObserver.ofStatus(leftovers),
                                SyncObserver.ofStatus(listener),
                                heap.observer())));
            });
            // Before anything is read: reconcilers prepare themselves while they wait for the objects.
            lines.forEach(line -> {
                undo.add(line::close);
                line.start();
                var _ = supervisor.heartbeat(component(line.family()), line::lastBeat);
            });
            // Before the objects: endpoints of pods are known when their Services arrive.
            Optional<PodModule> pods = pods(settings, effects, live::get, store, local, addresses, supervisor);
            pods.ifPresent(side -> {
                undo.add(side::close);
                addresses.onChoice(side::wakeUp);
            });
            pages.server(source::server);
            pages.podIps(source::podIps);
            pages.components(supervisor::states);
            source.start(store, heap, effects, supervisor);
            source.report(new ReportModule.Subjects(effects, live::get, store, pods), supervisor);
            source.healthPorts().ifPresent(healthPortListener::set);
            watch.start(
                    lines.stream()
                            .map(line -> new RuleSetWatcher.Watched(
                                    line, ReconcilerFactory.watchful(line.family(), settings)))
                            .toList(),
                    supervisor);
            heap.start(supervisor);
            var _ = supervisor.start();
            return new Daemon(
                    store,
                    source,
                    new PacketExplainer(settings, live::get, store, addresses),
                    addresses,
                    lines,
                    health,
                    board,
                    watch,
                    pods,
                    heap,
                    pages,
                    live,
                    networks,
                    healthPortListener,
                    supervisor,
                    allHealth);
        } catch (IOException | RuntimeException e) {
            undo.reversed().forEach(Runnable::run);
            throw e;
        }
    }

    private static Component component(IpFamily family) {
        return family == IpFamily.IPV4 ? Component.DATAPLANE_IPV4 : Component.DATAPLANE_IPV6;
    }

    private static Optional<PodModule> pods(
            DaemonSettings settings,
            Effects effects,
            Supplier<NodeSettings> live,
            Store store,
            LocalPods local,
            NodeAddressTracker addresses,
            Supervisor supervisor)
            throws SysException {
        if (settings.pods().runtime().isEmpty()) {
            return Optional.empty();
        }
        NodeNaming naming = new NodeNaming(live, addresses);
        return Optional.of(PodModule.start(
                settings.pods(),
                settings.pods().runtime().get(),
                effects,
                settings.node(),
                store,
                local,
                settings.state(),
                naming::names,
                supervisor));
    }

    /** Applies other settings, as far as they concern the node's addresses, its traffic and the intervals of the reconcilers. */
    public void follow(DaemonSettings now) {
        node.set(now.node());
        board.timeout(HealthServers.patience(now));
        addresses.follow(now.node());
        lines.forEach(line -> line.pace(ReconcilerFactory.pace(now)));
    }

    /** What the first rules wait for, other than the source; empty when they wait for nothing. */
    public Optional<String> awaited() {
        return networks.awaited();
    }

    /** Sets where {@code /metrics} gets its figures from; until then it has none. */
    public void reports(Supplier<StatusReport> source) {
        pages.reports(source);
    }

    /** The latencies of the last changes of a family. */
    RecentLatencies.Sorted recent(IpFamily family) {
        return pages.recent(family);
    }

    /** Service ports of a family that drop external traffic here: their policy is Local, and no endpoint on this node serves. */
    WithoutLocal withoutLocal(IpFamily family) {
        return pages.withoutLocal(family);
    }

    /** Sets what {@code /configz} and {@code /flagz} show from now on. */
    public void shows(ShownConfig config) {
        pages.shows(config);
    }

    /** Sets the listener for health-check node ports that cannot be opened. */
    public void onClosedHealthPort(HealthPortListener listener) {
        healthPortListener.set(listener);
    }

    /** The pods of this node; empty when no container runtime is followed. */
    public Optional<PodsReport> pods() {
        return pods.map(PodModule::report);
    }

    /** Explains what happens to packets. */
    public Explainer explainer() {
        return explainer;
    }

    /** The editor for changes by command; empty where the objects cannot be changed here. */
    public Optional<ManifestEditor> editing() {
        return source.editing();
    }

    /** The objects in force. */
    public ObjectsReport objects() {
        Map<ServiceKey, String> leftOut = new HashMap<>();
        lines().forEach(line -> line.lastPass()
                .ifPresent(pass -> pass.leftOut()
                        .forEach((service, why) ->
                                leftOut.merge(service, line.family() + ": " + why, (a, b) -> a + "; " + b))));
        return new ObjectsReport(
                store.services(),
                pods.map(PodModule::slices),
                store.serviceCidrs(),
                source.ledger().map(ServiceLedger::view),
                source.problems(),
                leftOut,
                node.get().name(),
                supervisor.platform().instant(),
                source.whole());
    }

    /** The state of the container runtime; empty when none is followed. */
    public Optional<StatusReport.ContainerRuntime> runtime() {
        return pods.map(PodModule::status);
    }

    /** The status of the reconcilers, one per family. */
    public List<FamilyStatus> lines() {
        return lines.stream().map(FamilyReconciler::status).toList();
    }

    /** The oldest of the last heartbeats of all reconcilers, by {@link System#nanoTime}. */
    public long oldestBeat() {
        long now = supervisor.platform().nanoTime();
        // Values of nanoTime may wrap around; their differences do not.
        return now
                - lines.stream().mapToLong(line -> now - line.lastBeat()).max().orElse(0);
    }

    /** The state of every component that runs on a thread of its own. */
    public List<ComponentState> components() {
        return supervisor.states();
    }

    /** The current problems of the objects. */
    public List<Problem> problems() {
        return source.problems();
    }

    /** The ledger that assigns addresses to Services; empty when they are taken as they are written. */
    public Optional<ServiceLedger> ledger() {
        return source.ledger();
    }

    /** Where objects come from, for people. */
    public String place() {
        return source.place();
    }

    /** Why changes of objects do not arrive now; empty while they do. */
    public Optional<String> sourceTrouble() {
        return source.trouble();
    }

    /** How long changes of objects have not arrived; empty while they do. */
    public Optional<Duration> sourceOutage() {
        return source.outage();
    }

    /** How long ago the source last sent anything; empty where that has no meaning. */
    public Optional<Duration> lastContact() {
        return source.lastContact();
    }

    /**
     * Families in which Services have node ports but the node has no address for them: one sentence for each. A family that the
     * administrator left out is not among them.
     */
    public List<String> unansweredNodePorts() {
        Optional<NodeIps> given = node.get().given();
        return reconcilerHealth.stream()
                .filter(one ->
                        given.map(wanted -> wanted.mentions(one.family())).orElse(true))
                .flatMap(one -> one.unansweredNodePorts().stream())
                .toList();
    }

    /** Whether the source has been read completely. */
    public boolean synced() {
        return store.isSynced();
    }

    /** The node's own addresses, kept up to date. */
    public NodeAddressTracker addresses() {
        return addresses;
    }

    /** Health-check node ports that cannot be opened, and why. */
    public List<String> closedHealthPorts() {
        return health.ports().troubles();
    }

    public Store.Size size() {
        return store.size();
    }

    @Override
    public void close() {
        supervisor.close();
        pods.ifPresent(PodModule::close);
        source.close();
        addresses.close();
        watch.close();
        lines.forEach(FamilyReconciler::close);
        health.close();
        heap.close();
    }
}
