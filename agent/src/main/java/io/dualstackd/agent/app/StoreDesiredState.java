package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.io.DesiredState;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
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
import io.dualstackd.node.OwnAddresses;
import io.dualstackd.node.io.NodeAddressTracker;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store and the node's addresses as one reconciler sees them: its own family only. */
final class StoreDesiredState implements DesiredState {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");

    /** The number of Services after which memory use is checked. */
    private static final int PORTION = 256;

    private final IpFamily family;
    private final Supplier<NodeSettings> settings;
    private final Store store;
    private final NodeAddressTracker addresses;
    private final BooleanSupplier ready;
    private final boolean everyAddress;
    private final Store.Cursor cursor;
    private final Runnable tidy;
    private final Consumer<ChangeMetadata> heard;
    private boolean started;
    private Optional<Node> node = Optional.empty();
    private List<IpPrefix> serviceCidrs = List.of();

    /**
     * @param ready whether everything else that the first sync needs is there
     * @param everyAddress whether rules depend on all addresses of the node, even where node ports answer on all
     * @param tidy called from time to time during a sync of all Services, as there may be garbage
     * @param heard receives the metadata of the changes that are taken
     */
    StoreDesiredState(
            IpFamily family,
            Supplier<NodeSettings> settings,
            Store store,
            NodeAddressTracker addresses,
            BooleanSupplier ready,
            boolean everyAddress,
            Wakeup wakeup,
            Runnable tidy,
            Consumer<ChangeMetadata> heard) {
        this.family = family;
        this.settings = settings;
        this.store = store;
        this.addresses = addresses;
        this.ready = ready;
        this.everyAddress = everyAddress;
        this.tidy = tidy;
        this.heard = heard;
        this.cursor = store.cursor(wakeup::signal);
    }

    /** The changes since the last take. */
    ChangeMetadata waiting() {
        return cursor.waiting();
    }

    @Override
    public boolean complete() {
        started = started || (store.isSynced() && addresses.isSettled() && ready.getAsBoolean());
        return started && addresses.isSettled();
    }

    @Override
    public Snapshot snapshot() {
        Changes changes = cursor.take().orElseThrow(() -> new IllegalStateException("asked before complete"));
        Optional<Node> ownNode = changes.nodes().get(settings.get().name());
        if (ownNode != null) {
            node = ownNode;
        }
        serviceCidrs = changes.serviceCidrs().orElse(serviceCidrs);
        heard.accept(changes.changeMetadata());
        SortedMap<ServiceKey, ServiceState> changed = changes.services();
        OwnAddresses own = addresses.own(family);
        return new Snapshot(view(own), own.all(), changed.keySet(), new Wanted(changed));
    }

    private NodeView view(OwnAddresses own) {
        NodeView view = NodeViews.of(settings.get(), node, own, serviceCidrs, family);
        // Links of pods come with link-local addresses, which would turn each new pod into a change of the node.
        return everyAddress
                ? view.holding(
                        own.all().stream().filter(ip -> !ip.isLinkLocal()).toList())
                : view;
    }

    /** Converts Services on demand: changed ones as they were when they were taken, all others as they are now. */
    private final class Wanted implements WantedServices {
        private final Map<ServiceKey, ServiceState> changed;

        Wanted(Map<ServiceKey, ServiceState> changed) {
            this.changed = changed;
        }

        @Override
        public Optional<ServiceView> find(ServiceKey key) {
            ServiceState state = changed.get(key);
            return view(state == null ? store.service(key) : state);
        }

        @Override
        public void forEach(Consumer<ServiceView> each) {
            int count = 0;
            for (ServiceState state : store.services()) {
                view(state).ifPresent(each);
                // A first load makes more garbage than live data.
                if (++count % PORTION == 0) {
                    tidy.run();
                }
            }
        }

        private Optional<ServiceView> view(ServiceState state) {
            return state.service().flatMap(service -> view(service, state));
        }

        private Optional<ServiceView> view(Service service, ServiceState state) {
            try {
                return Optional.of(ServiceViews.of(
                                service, state.slices(), family, settings.get().name(), state.lost()))
                        .filter(view -> !view.ports().isEmpty());
            } catch (RuntimeException e) {
                // A bug of dualstackd; it must cost only this Service, not all others.
                LOG.error("service cannot be read, please report it service={} next=left-out", service.key(), e);
                return Optional.empty();
            }
        }
    }
}
