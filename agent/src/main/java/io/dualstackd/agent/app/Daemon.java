package io.dualstackd.agent.app;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.explain.Explainer;
import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.admin.pods.PodsReport;
import io.dualstackd.admin.top.Traffic;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.TranslatedFlows;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.pages.health.ShownConfig;
import io.dualstackd.pages.health.io.HealthState;
import io.dualstackd.pages.health.io.HttpListeners;
import io.dualstackd.pages.health.io.ProxyEndpoints;
import io.dualstackd.pages.health.io.ServiceHealthPorts;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.pods.endpoint.LocalPods;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All running parts of the daemon, wired up. They are started together and closed together; the rules stay in the kernel. */
public final class Daemon implements AutoCloseable {
    /** The number of periods between two looks that a change may wait before the proxy counts as stuck. */
    private static final int PERIODS = 2;

    private final ObjectSource source;
    private final Supervisor supervisor;
    private final AtomicReference<NodeSettings> node;
    private final Store store;
    private final PodNetworks networks;
    private final ProxyEndpoints endpoints;
    private final NodeAddressTracker addresses;
    private final HealthState board;
    private final ServiceHealthPorts healthPorts;
    private final Reconcilers reconcilers;
    private final ProxyPages pages;
    private final Optional<PodModule> pods;
    private final Optional<DnsModule> dns;
    private final Explainer explainer;
    /** In the order in which they were started. */
    private final List<Runnable> closers = new ArrayList<>();

    /** As {@link #start(DaemonSettings, ObjectSource, Function, Supervisor)}, with the source that the settings name. */
    public static Daemon start(DaemonSettings settings, Consumer<FamilyStatus> listener) throws IOException {
        return start(
                settings,
                ObjectSource.open(settings),
                family -> Stream.of(SyncObserver.ofStatus(listener)),
                new Supervisor(FatalAction.ofThread()));
    }

    /** As the other {@code start}, with the effects of this host. */
    public static Daemon start(
            DaemonSettings settings,
            ObjectSource source,
            Function<IpFamily, Stream<SyncObserver>> observers,
            Supervisor supervisor)
            throws IOException {
        return start(settings, source, Effects.system(settings.ns()), observers, supervisor);
    }

    /**
     * Starts the sources and the reconcilers. Returns at once; the rules are in force when the reconcilers report it.
     *
     * @param source opened, not started; closed with the daemon, and also when the start fails
     * @param effects through which all parts act on the host and learn of it
     * @param observers of the reconciler of each family, before those of the daemon's own parts
     * @param supervisor not started yet; closed with the daemon, and also when the start fails
     * @throws IOException when the source cannot be started or the kernel does not answer about addresses
     */
    public static Daemon start(
            DaemonSettings settings,
            ObjectSource source,
            Effects effects,
            Function<IpFamily, Stream<SyncObserver>> observers,
            Supervisor supervisor)
            throws IOException {
        return new Daemon(settings, source, effects, observers, supervisor);
    }

    /** Makes and starts every part in the order of dependency; {@link #close} goes through them in reverse order. */
    private Daemon(
            DaemonSettings settings,
            ObjectSource source,
            Effects effects,
            Function<IpFamily, Stream<SyncObserver>> observers,
            Supervisor supervisor)
            throws IOException {
        this.source = source;
        this.supervisor = supervisor;
        this.node = new AtomicReference<>(settings.node());
        closers.add(source::close);
        try {
            Platform platform = supervisor.platform();
            String nodeName = settings.node().name();
            boolean inCluster = settings.source() instanceof SourceSettings.Cluster;
            LocalPods local =
                    new LocalPods(nodeName, !inCluster, settings.pods().localFailover());
            store = new Store(
                    settings.pods().runtime().isPresent() ? local : StoreOverlay.NOTHING,
                    settings.state(),
                    settings.externalIps());
            HeapKeeper heap = effects.heap().apply(platform);
            networks = new PodNetworks(settings, node::get, store);
            addresses = NodeAddressTracker.start(
                    settings.node(),
                    effects.netlink(),
                    new NodeAddressTracker.Objects(store::isSynced, name -> networks.addressed(store.node(name))),
                    effects.names(),
                    supervisor);
            closers.add(addresses::close);
            explainer = new PacketExplainer(settings, node::get, store, networks, addresses);
            board = new HealthState(platform, platform.steady(), healthTimeout(settings));
            HttpListeners http = effects.http().open(supervisor);
            closers.add(http::close);
            healthPorts = new ServiceHealthPorts(
                    http,
                    board::isHealthy,
                    (service, where, why) -> source.happened(ClusterEvent.noHealthCheckPort(
                            nodeName, service.namespace(), service.name(), where.port(), why)));
            closers.add(healthPorts::close);
            reconcilers = new Reconcilers(
                    settings,
                    effects,
                    new StoreDesiredState.Sources(
                            node::get, store, addresses, networks::isKnown, networks::withLastKnown),
                    board,
                    healthPorts,
                    family -> Stream.concat(
                            Stream.concat(observers.apply(family), Stream.of(heap.observer())),
                            events(family, nodeName)),
                    platform);
            pages = new ProxyPages(
                    settings,
                    store,
                    board,
                    reconcilers.meters(),
                    reconcilers.counts(),
                    source,
                    supervisor::states,
                    networks::withLastKnown);
            endpoints = ProxyEndpoints.start(
                    http,
                    settings.endpoints(),
                    new ProxyEndpoints.Server(
                            pages.healthz(), why -> source.happened(ClusterEvent.noHealthServer(nodeName, why))),
                    new ProxyEndpoints.Server(
                            pages.metrics(), why -> source.happened(ClusterEvent.noMetricsServer(nodeName, why))),
                    platform);
            closers.add(endpoints::close);
            // Before anything is read: reconcilers prepare themselves while they wait for the objects.
            closers.add(reconcilers::close);
            reconcilers.start(supervisor);
            // With a container runtime. Before the objects: endpoints of pods are known when their Services arrive.
            pods = settings.pods().runtime().isPresent()
                    ? Optional.of(PodModule.start(settings, effects, node::get, store, local, addresses, supervisor))
                    : Optional.empty();
            pods.ifPresent(module -> closers.add(module::close));
            // With --dns-listen. Before the objects: the endpoints of its Service are known when that arrives.
            dns = settings.dns().isPresent()
                    ? Optional.of(DnsModule.start(
                            settings.dns().get(), settings, node::get, store, addresses, source, supervisor))
                    : Optional.empty();
            dns.ifPresent(module -> closers.add(module::close));
            // With a folder: the manifests, and the ledger if Services get addresses. With a cluster: the reflectors.
            source.start(store, heap, effects, supervisor);
            // With a cluster: events, and the Node object and pods where that is configured.
            source.report(new ReportModule.Subjects(effects, node::get, store, pods), supervisor);
            closers.add(heap::close);
            heap.start(supervisor);
            var _ = supervisor.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The observers that turn what happens to rules into events. */
    private Stream<SyncObserver> events(IpFamily family, String nodeName) {
        Stream<SyncObserver> ofRules = Stream.of(new RuleEvents(family, nodeName, source));
        return source.events().isPresent()
                ? Stream.concat(ofRules, Stream.of(new ServiceEvents(family, source)))
                : ofRules;
    }

    /** Stops everything: first the supervisor, so that no part is missed, then the parts, the last one first. */
    @Override
    public void close() {
        supervisor.close();
        closers.reversed().forEach(Shutdown::close);
    }

    private static Duration healthTimeout(DaemonSettings settings) {
        return settings.intervals().lookPeriod().multipliedBy(PERIODS);
    }

    /** Applies other settings, as far as they concern the node's addresses, its traffic and the intervals of the reconcilers. */
    public void follow(DaemonSettings now) {
        node.set(now.node());
        board.timeout(healthTimeout(now));
        addresses.follow(now.node());
        source.follow(now.node());
        reconcilers.follow(now);
    }

    /** Sets where {@code /metrics} gets its figures from, which are made of this daemon's state; until then it has none. */
    public void reports(Supplier<StatusReport> report) {
        pages.reports(report);
        pages.traffic(() -> {
            ObjectsReport now = objects();
            return Traffic.of(now.madeAt().toEpochMilli(), Frontends.of(now, Optional.empty()), counts());
        });
    }

    /** Sets what {@code /configz} and {@code /flagz} show from now on. */
    public void shows(ShownConfig config) {
        pages.shows(config);
    }

    /** Counts of connections, one for each family that is counted. */
    public List<ConnectionCounts> counts() {
        return reconcilers.counts();
    }

    /** The translated connections, one for each family. */
    public List<TranslatedFlows> flows() {
        return reconcilers.flows();
    }

    /** The source of the objects. */
    public ObjectSource source() {
        return source;
    }

    /** The networks that those of Services are compared with. */
    public NetworkNotes.Sources networkSources(DaemonSettings settings) {
        return new NetworkNotes.Sources(
                store::serviceCidrs,
                settings.pods().cidrs(),
                () -> store.node(node.get().name()),
                node::get,
                addresses::now);
    }

    /** Whether the source has been read completely. */
    public boolean synced() {
        return store.isSynced();
    }

    public Store.Size size() {
        return store.size();
    }

    /** The objects in force. */
    public ObjectsReport objects() {
        return new ObjectsReport(
                store.services(),
                pods.map(PodModule::slices),
                store.serviceCidrs(),
                source.ledger().map(ServiceLedger::view),
                source.events().orElse(List.of()),
                source.problems(),
                reconcilers.leftOut(),
                node.get().name(),
                supervisor.platform().instant(),
                reconcilers::lastChange,
                source.whole());
    }

    /** The condition, other than the source, that the first rules wait for; empty when they wait for nothing. */
    public Optional<String> awaited() {
        return networks.awaited();
    }

    /** What the rules would have to wait for with other settings; empty when nothing. */
    public Optional<String> awaited(DaemonSettings other) {
        return networks.awaited(other.node());
    }

    /** The node's own addresses, kept up to date. */
    public NodeAddressTracker addresses() {
        return addresses;
    }

    /** The status of the reconcilers, one per family. */
    public List<FamilyStatus> statuses() {
        return reconcilers.statuses();
    }

    /** The measurements of all families. */
    public List<FamilyMeter> meters() {
        return reconcilers.meters();
    }

    /** The measurements of a family. */
    FamilyMeter meter(IpFamily family) {
        return reconcilers.meter(family);
    }

    /** The oldest of the last heartbeats of all reconcilers, by {@link System#nanoTime}. */
    public long oldestBeat() {
        return reconcilers.oldestBeat();
    }

    /**
     * Families in which Services have node ports but the node has no address for them: one sentence for each. A family that the
     * administrator left out is not among them.
     */
    public List<String> unansweredNodePorts() {
        return reconcilers.unansweredNodePorts(node.get().given());
    }

    /** Rules and chains that nothing needs and that could not be removed yet, and why: one sentence for each. */
    public List<String> leftovers() {
        return reconcilers.leftovers();
    }

    /** The servers for health and metrics, and health-check node ports, that cannot be opened, and why. */
    public List<String> closedHealthPorts() {
        return Stream.concat(endpoints.problems().stream(), healthPorts.problems().stream())
                .toList();
    }

    /** The pods of this node; empty when no container runtime is followed. */
    public Optional<PodsReport> pods() {
        return pods.map(PodModule::report);
    }

    /** The state of the container runtime; empty when none is followed. */
    public Optional<StatusReport.ContainerRuntime> runtime() {
        return pods.map(PodModule::status);
    }

    /** The state of the DNS server; empty when there is none. */
    public Optional<DnsReport> dns() {
        return dns.map(DnsModule::report);
    }

    /** Explains what happens to packets. */
    public Explainer explainer() {
        return explainer;
    }

    /** The state of every component that runs on a thread of its own. */
    public List<ComponentState> components() {
        return supervisor.states();
    }
}
