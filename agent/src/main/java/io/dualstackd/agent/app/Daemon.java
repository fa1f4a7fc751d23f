package io.dualstackd.agent.app;

import io.dualstackd.agent.admin.StatusReport;
import io.dualstackd.agent.admin.objects.ObjectsReport;
import io.dualstackd.agent.admin.pods.PodsReport;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.explain.Explainer;
import io.dualstackd.agent.health.HealthPortListener;
import io.dualstackd.agent.health.ShownConfig;
import io.dualstackd.agent.health.io.HealthState;
import io.dualstackd.agent.host.io.Leftovers;
import io.dualstackd.agent.metrics.FamilyMeter;
import io.dualstackd.agent.metrics.RecentLatencies;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.io.FamilyReconciler;
import io.dualstackd.agent.reconcile.io.ReconcilerFactory;
import io.dualstackd.agent.reconcile.io.RuleSetWatcher;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.NameLookup;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.pods.endpoint.LocalPods;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Everything that runs, plugged together. Started whole, closed whole; the rules stay in the kernel. */
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
    private final List<ReconcilerHealth> heard;

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
            List<ReconcilerHealth> heard) {
        this.supervisor = supervisor;
        this.heard = List.copyOf(heard);
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

    /**
     * Starts sources, then lines. Returns at once; the rules are in force when the lines say so.
     *
     * @param source opened, not started; closed with the daemon, and also when the start fails
     * @param listener told every new status of a line, on the line's thread
     * @param supervisor not started yet; closed with the daemon, and also when the start fails
     * @throws IOException when the folder cannot be watched or the kernel does not answer about addresses
     */
    public static Daemon start(
            DaemonSettings settings, ObjectSource source, Consumer<FamilyStatus> listener, Supervisor supervisor)
            throws IOException {
        List<Runnable> undo = new ArrayList<>(List.of(source::close));
        try {
            undo.add(supervisor::close);
            NodeSettings node = settings.node();
            LocalPods local = new LocalPods(node.name(), settings.pods().localFailover());
            StoreOverlay ofNode = settings.pods().runtime().isPresent() ? local : StoreOverlay.NOTHING;
            Store store = new Store(ofNode, settings.state());
            HeapKeeper heap = new HeapKeeper();
            HealthState board = HealthServers.board(settings);
            Meters meters = new Meters();
            Map<IpFamily, Wakeup> nudges = new TreeMap<>();
            AtomicReference<NodeSettings> live = new AtomicReference<>(node);
            for (IpFamily family : settings.families()) {
                nudges.put(family, new Wakeup(() -> {
                    board.queued(family);
                    meters.queued(family);
                }));
            }
            PodNetworks networks = new PodNetworks(settings, live::get, store);
            NodeAddressTracker addresses = NodeAddressTracker.start(
                    node,
                    settings.ns(),
                    new NodeAddressTracker.Objects(store::isSynced, store::node),
                    NameLookup.Resolver.system(settings.ns()),
                    supervisor);
            undo.add(addresses::close);
            addresses.onChange(() -> nudges.values().forEach(Wakeup::signal));
            RuleSetWatcher watch = new RuleSetWatcher(settings.ns());
            NetlinkKernel.Open open = () -> watch.own(NlSocket.open(NlProtocol.NETFILTER, settings.ns()));
            Leftovers leftovers = new Leftovers(settings, open, watch.generations());
            ProxyPages pages = new ProxyPages(settings, store, board, meters);
            AtomicReference<HealthPortListener> healthPortListener = new AtomicReference<>((service, where, why) -> {});
            HealthServers health = HealthServers.start(
                    settings,
                    board,
                    pages,
                    (service, where, why) -> healthPortListener.get().cannotListen(service, where, why),
                    supervisor);
            undo.add(health::close);
            List<FamilyReconciler> lines = new ArrayList<>();
            List<ReconcilerHealth> allHeard = new ArrayList<>();
            // A node port is a virtual server on each of them.
            boolean everyAddress = settings.mode() == ProxyMode.IPVS;
            nudges.forEach((family, wakeup) -> {
                FamilyMeter meter = meters.of(family);
                StoreDesiredState input = new StoreDesiredState(
                        family,
                        live::get,
                        store,
                        addresses,
                        networks::known,
                        everyAddress,
                        wakeup,
                        heap::tidy,
                        meter::arrived);
                meter.waiting(() -> input.waiting().counts(family));
                ReconcilerMeter measured = new ReconcilerMeter(meter, input);
                ReconcilerHealth heard = new ReconcilerHealth(family, measured, board, health.ports());
                allHeard.add(heard);
                lines.add(new FamilyReconciler(
                        family,
                        ReconcilerFactory.pass(
                                family,
                                settings,
                                () -> new TimedTransport(open.transport(), meter::transaction),
                                watch),
                        ReconcilerFactory.sweep(family, settings),
                        heard,
                        wakeup,
                        ReconcilerFactory.pace(settings),
                        status -> {
                            measured.onStatus(status);
                            heard.onStatus(status);
                            leftovers.onStatus(status);
                            listener.accept(status);
                            heap.passed(status);
                        },
                        meter::swept));
            });
            // Before anything is read: lines prepare themselves while they wait for it.
            lines.forEach(line -> {
                undo.add(line::close);
                line.start();
                var _ = supervisor.heartbeat(component(line.family()), line::lastBeat);
            });
            // Before objects come: endpoints of pods are there when their Services come.
            Optional<PodModule> pods = pods(settings, live::get, store, local, addresses, supervisor);
            pods.ifPresent(side -> {
                undo.add(side::close);
                addresses.onChoice(side::wakeUp);
            });
            pages.server(source::server);
            pages.podIps(source::podIps);
            pages.components(supervisor::states);
            source.start(store, heap, supervisor);
            source.report(new ReportModule.Subjects(settings.ns(), live::get, store, pods), supervisor);
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
                    allHeard);
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
                settings.node(),
                store,
                local,
                settings.state(),
                naming::names,
                supervisor));
    }

    /** Goes on with other settings, as far as they concern the node's addresses, its traffic and the pace of the lines. */
    public void follow(DaemonSettings now) {
        node.set(now.node());
        board.timeout(HealthServers.patience(now));
        addresses.follow(now.node());
        lines.forEach(line -> line.pace(ReconcilerFactory.pace(now)));
    }

    /** What the first rules wait for, beside the source; empty when for nothing. */
    public Optional<String> awaited() {
        return networks.awaited();
    }

    /** Where {@code /metrics} gets its figures from; it has none before. */
    public void reports(Supplier<StatusReport> source) {
        pages.reports(source);
    }

    /** How long the last changes of a family took. */
    RecentLatencies.Sorted recent(IpFamily family) {
        return pages.recent(family);
    }

    /** Service ports of a family that drop what comes here: their policy is Local, and no endpoint serves on this node. */
    WithoutLocal withoutLocal(IpFamily family) {
        return pages.withoutLocal(family);
    }

    /** What {@code /configz} and {@code /flagz} show from now on. */
    public void shows(ShownConfig config) {
        pages.shows(config);
    }

    /** Told from now on of health-check node ports that cannot be opened. */
    public void onClosedHealthPort(HealthPortListener listener) {
        healthPortListener.set(listener);
    }

    /** The pods of this node; empty when no runtime is followed. */
    public Optional<PodsReport> pods() {
        return pods.map(PodModule::report);
    }

    /** Knows what becomes of packets. */
    public Explainer explainer() {
        return explainer;
    }

    /** For changes by command; empty where others decide about objects. */
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
                Instant.now(),
                source.whole());
    }

    /** How it stands with the container runtime; empty when none is followed. */
    public Optional<StatusReport.ContainerRuntime> runtime() {
        return pods.map(PodModule::status);
    }

    /** One per family. */
    public List<FamilyStatus> lines() {
        return lines.stream().map(FamilyReconciler::status).toList();
    }

    /** Of the moments when each line last showed that it lives, the one longest ago; {@link System#nanoTime}. */
    public long oldestBeat() {
        long now = System.nanoTime();
        // Such times may wrap around; their distances do not.
        return now
                - lines.stream().mapToLong(line -> now - line.lastBeat()).max().orElse(0);
    }

    /** How everything that runs on its own is. */
    public List<ComponentState> components() {
        return supervisor.states();
    }

    /** What is wrong with the objects now. */
    public List<Problem> problems() {
        return source.problems();
    }

    /** Who gives Services their addresses; empty when they are taken as they are written. */
    public Optional<ServiceLedger> ledger() {
        return source.ledger();
    }

    /** Where objects come from, for people. */
    public String place() {
        return source.place();
    }

    /** Why news of objects do not come now; empty while they do. */
    public Optional<String> sourceTrouble() {
        return source.trouble();
    }

    /** How long news of objects have not come; empty while they do. */
    public Optional<Duration> sourceOutage() {
        return source.outage();
    }

    /** How long ago the source last said anything; empty where that has no meaning. */
    public Optional<Duration> lastContact() {
        return source.lastContact();
    }

    /**
     * Families in which Services have node ports, and the node no address for them: one sentence for each. A family that the
     * administrator left out is none of them.
     */
    public List<String> unansweredNodePorts() {
        Optional<NodeIps> given = node.get().given();
        return heard.stream()
                .filter(one ->
                        given.map(wanted -> wanted.mentions(one.family())).orElse(true))
                .flatMap(one -> one.unansweredNodePorts().stream())
                .toList();
    }

    /** Whether the source has been read completely. */
    public boolean synced() {
        return store.isSynced();
    }

    /** The node's own addresses, as they are from moment to moment. */
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
