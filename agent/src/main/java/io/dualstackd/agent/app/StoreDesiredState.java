package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.io.BrokenServices;
import io.dualstackd.agent.reconcile.io.DesiredState;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.kubeapi.store.Changes;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.view.ServiceViews;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeViews;
import io.dualstackd.node.io.NodeAddressTracker;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store and the node's addresses as one reconciler sees them: plans of its own family only. */
final class StoreDesiredState implements DesiredState {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");

    /**
     * The sources that the reconcilers of all families read.
     *
     * @param settings the current ones, which may change while the daemon runs
     * @param ready whether everything else that the first sync needs is there
     * @param node completes the node's object with what stays when it goes
     */
    record Sources(
            Supplier<NodeSettings> settings,
            Store store,
            NodeAddressTracker addresses,
            BooleanSupplier ready,
            UnaryOperator<Optional<Node>> node) {}

    private final IpFamily family;
    private final Sources sources;
    private final Store store;
    private final NodeAddressTracker addresses;
    private final Store.Cursor cursor;
    private boolean started;
    /** As the store has it. */
    private Optional<Node> object = Optional.empty();

    private Optional<Node> node = Optional.empty();
    private List<IpPrefix> serviceCidrs = List.of();
    private @Nullable Planner planner;
    /** Services that were taken for snapshots that failed: the store names no change twice. */
    private SortedSet<ServiceKey> owed = new TreeSet<>();

    /** @param wakeup signalled when a source has changed */
    StoreDesiredState(IpFamily family, Sources sources, Wakeup wakeup) {
        this.family = family;
        this.sources = sources;
        this.store = sources.store();
        this.addresses = sources.addresses();
        this.cursor = store.cursorOfChanges(wakeup::signal);
        addresses.onChange(wakeup::signal);
    }

    /** The changes since the last take. */
    ChangeMetadata waiting() {
        return cursor.waiting();
    }

    @Override
    public boolean complete() {
        if (isComplete()) {
            return true;
        }
        // What is awaited may be an object, so its arrival must be a signal.
        cursor.notYet();
        return isComplete();
    }

    private boolean isComplete() {
        started = started
                || (store.isSynced() && addresses.isSettled() && sources.ready().getAsBoolean());
        return started && addresses.isSettled();
    }

    @Override
    public Snapshot snapshot(BrokenServices broken) {
        Changes changes = cursor.take().orElseThrow(() -> new IllegalStateException("asked before complete"));
        SortedMap<ServiceKey, ServiceState> changed = changes.services();
        owed.addAll(changed.keySet());
        object = Objects.requireNonNullElse(
                changes.nodes().get(sources.settings().get().name()), object);
        serviceCidrs = changes.serviceCidrs().orElse(serviceCidrs);
        // Also without the object: what stays when it goes is there all the same.
        node = sources.node().apply(object);
        Planner current = planner();
        Set<ServiceKey> all = owed;
        owed = new TreeSet<>();
        return new Snapshot(current, all, new Plans(current, changed, broken), changes.changeMetadata());
    }

    /** The same planner until the node changes. */
    private Planner planner() {
        NodeView view = NodeViews.of(sources.settings().get(), node, addresses.own(family), serviceCidrs, family);
        Planner known = planner;
        Planner now = known != null && known.node().equals(view) ? known : Planner.of(view);
        planner = now;
        return now;
    }

    /** Plans Services on demand: changed ones as they were when they were taken, all others as they are now. */
    private final class Plans implements ServicePlans {
        private final Planner planner;
        private final Map<ServiceKey, ServiceState> changed;
        private final BrokenServices broken;

        Plans(Planner planner, Map<ServiceKey, ServiceState> changed, BrokenServices broken) {
            this.planner = planner;
            this.changed = changed;
            this.broken = broken;
        }

        @Override
        public Optional<ServicePlan> find(ServiceKey key) {
            ServiceState state = changed.get(key);
            return plan(state == null ? store.service(key) : state);
        }

        @Override
        public void forEach(Consumer<ServicePlan> each) {
            for (ServiceState state : store.services()) {
                plan(state).ifPresent(each);
            }
        }

        private Optional<ServicePlan> plan(ServiceState state) {
            Optional<Service> service = state.service();
            return service.isEmpty() ? Optional.empty() : plan(service.get(), state);
        }

        private Optional<ServicePlan> plan(Service service, ServiceState state) {
            try {
                ServiceView view = ServiceViews.of(
                        service, state.slices(), family, planner.node().name(), state.lost());
                return view.ports().isEmpty() ? Optional.empty() : Optional.of(planner.plan(view));
            } catch (RuntimeException e) {
                // A bug of dualstackd; it must cost only this Service, not all others.
                LOG.error("service cannot be read, please report it service={} next=left-out", service.key(), e);
                broken.add(new ServiceKey(service.namespace(), service.name()), e);
                return Optional.empty();
            }
        }
    }
}
