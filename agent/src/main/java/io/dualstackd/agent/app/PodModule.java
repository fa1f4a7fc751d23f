package io.dualstackd.agent.app;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.pods.PodsReport;
import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.node.AddressChooser;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.PodIpOrder;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.pods.endpoint.LocalPods;
import io.dualstackd.pods.io.PodWatcher;
import io.dualstackd.pods.io.SavedPodsFile;
import io.dualstackd.supervision.io.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires up everything about this node's pods. None of it is loaded in a daemon without a configured container runtime. */
final class PodModule implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("pods");

    /** The time that Services with pods of this node as endpoints wait for a runtime that does not answer, when no pods are remembered. */
    private static final Duration FIRST_LIST = Duration.ofSeconds(6);

    private static final Duration STEP = Duration.ofMillis(50);

    private final PodWatcher watch;
    private final LocalPods local;
    private final Supplier<NodeNames> names;
    private final Supplier<List<Ip>> ofObject;
    private final Supplier<NodeSettings> node;
    private final Store store;

    private PodModule(
            PodWatcher watch,
            LocalPods local,
            Supplier<NodeNames> names,
            Supplier<List<Ip>> ofObject,
            Supplier<NodeSettings> node,
            Store store) {
        this.ofObject = ofObject;
        this.store = store;
        this.watch = watch;
        this.local = local;
        this.names = names;
        this.node = node;
    }

    /** Waits for the first list of a runtime that can be reached; one that cannot be reached is not waited for. */
    private static boolean awaitFirst(PodWatcher watch) throws InterruptedException {
        long steps = FIRST_LIST.dividedBy(STEP);
        for (long step = 0; step < steps && watch.runtime().outage().isEmpty(); step++) {
            if (watch.awaitFirst(STEP)) {
                return true;
            }
        }
        return watch.awaitFirst(Duration.ZERO);
    }

    /**
     * Starts to follow the pods. Returns when they are known, if only from an earlier run, or when the runtime has not answered for a
     * while.
     *
     * @param settings with a container runtime
     * @param live the current settings of the node
     * @param local learns which pods there are
     */
    static PodModule start(
            DaemonSettings settings,
            Effects effects,
            Supplier<NodeSettings> live,
            Store store,
            LocalPods local,
            NodeAddressTracker addresses,
            Supervisor supervisor)
            throws SysException {
        RuntimeEndpoint runtime = settings.pods().runtime().orElseThrow();
        NodeSettings node = settings.node();
        Supplier<List<Ip>> ofObject = () -> store.node(node.name())
                .map(object -> AddressChooser.ofObject(object, addresses.host()))
                .orElse(List.of());
        Supplier<Optional<IpFamily>> services = () -> settings.ledger()
                .map(ledger -> ledger.families().getFirst())
                .or(() -> ofObject.get().stream().findFirst().map(Ip::family));
        Supplier<NodeNames> names = () -> new NodeNames(
                settings.pods().order() == PodIpOrder.RUNTIME
                        ? Optional.empty()
                        : Optional.of(firstFamily(live.get(), services.get())),
                addresses.nodeIps());
        Supplier<PodCidrs> cidrs = () -> cidrs(settings.pods(), store, node.name());
        PodWatcher watch = PodWatcher.start(
                effects.runtime().open(runtime, supervisor),
                names,
                cidrs,
                // A pod that ended while the daemon was not running may have been replaced: at a start, the sources are
                // right.
                (before, after, first) -> {
                    store.locally(states -> local.changed(first ? Pods.NONE : before, after, states));
                    learn(store, local);
                },
                settings.state().map(SavedPodsFile::in).orElseGet(SavedPodsFile::none),
                supervisor);
        try {
            if (!watch.remembers() && !awaitFirst(watch)) {
                LOG.warn(
                        "start goes on without pods endpoint={} next=\"they are added once the runtime answers\"",
                        runtime);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        AtomicReference<PodCidrs> lastCidrs = new AtomicReference<>(cidrs.get());
        store.onNodes(() -> {
            PodCidrs now = cidrs.get();
            if (!now.equals(lastCidrs.getAndSet(now))) {
                watch.wakeUp();
            }
        });
        addresses.onChoice(watch::wakeUp);
        return new PodModule(watch, local, names, ofObject, live, store);
    }

    /** Runs in portions, as reconcilers need the store meanwhile. */
    private static void learn(Store store, LocalPods local) {
        AtomicBoolean more = new AtomicBoolean(true);
        while (more.get()) {
            store.locally(states -> {
                more.set(local.learn(states));
                return StoreOverlay.LocalChanges.NONE;
            });
        }
    }

    /**
     * As in kubelet, the family of pods follows the flag, not the addresses that were found. Without the flag it is that of the Services,
     * as KEP-563 says, or what the Node object shows of kubelet's flag.
     *
     * @param services the first family of the networks of Services, where this daemon knows it, or of the Node object
     */
    static IpFamily firstFamily(NodeSettings settings, Optional<IpFamily> services) {
        return settings.given()
                .map(ips -> ips.first().family())
                .or(() -> services)
                .orElse(IpFamily.IPV4);
    }

    private static PodCidrs cidrs(PodSettings settings, Store store, String node) {
        if (!settings.cidrs().equals(PodCidrs.NONE)) {
            return settings.cidrs();
        }
        return store.node(node).map(Node::podCidrs).map(PodCidrs::new).orElse(PodCidrs.NONE);
    }

    PodsReport report() {
        return new PodsReport(node.get().name(), names.get().ips(), watch.pods(), watch.runtime(), Instant.now());
    }

    StatusReport.ContainerRuntime status() {
        List<Pod> pods = watch.pods().all();
        List<Pod> alive = pods.stream().filter(Pod::isAlive).toList();
        LocalPods.FailoverCount count = local.count();
        return new StatusReport.ContainerRuntime(
                watch.runtime(),
                pods.size(),
                alive.size(),
                StatusReport.PodFamilies.of(alive.stream().map(Pod::ips).toList()),
                count.addresses(),
                count.hidden());
    }

    /** All pods of this node; empty while the runtime does not answer, because then they may have changed. */
    Optional<Pods> pods() {
        PodsReport report = report();
        return report.isFresh() ? Optional.of(report.pods()) : Optional.empty();
    }

    /** As kubelet has them, which takes the addresses of the node from its object. */
    NodeNames kubeletNames() {
        return new NodeNames(names.get().preferred(), ofObject.get());
    }

    /** The slices that consist of pods of this node. */
    List<GeneratedSlice> slices() {
        NodeSettings now = node.get();
        return local.slices(
                now.zone().or(() -> store.node(now.name()).map(Node::zone)).orElse(""));
    }

    @Override
    public void close() {
        watch.close();
    }
}
