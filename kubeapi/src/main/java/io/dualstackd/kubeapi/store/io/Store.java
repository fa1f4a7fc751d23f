package io.dualstackd.kubeapi.store.io;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.store.ChangeCounter;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.kubeapi.store.Changes;
import io.dualstackd.kubeapi.store.DestinationConflict;
import io.dualstackd.kubeapi.store.DestinationHolders;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.SharedParts;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.view.Destination;
import io.dualstackd.netlink.ip.IpPrefix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The current objects, and for each consumer the changes it has not taken yet.
 *
 * <p>Thread-safe; one lock, never held while a wakeup runs. The cost of writing and taking depends on what changed, not on what is stored:
 * a slice of a service costs that service's slices.
 */
public final class Store {
    private final Object lock = new Object();
    private final StoreOverlay storeOverlay;
    private final Map<ServiceKey, ServiceState> states = new HashMap<>();
    /** As received: the label with the service may change. */
    private final Map<ObjectKey, EndpointSlice> slices = new HashMap<>();

    private final SharedParts shared = new SharedParts();

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, ServiceCidr> serviceCidrs = new TreeMap<>();
    private final List<Cursor> cursors = new ArrayList<>();
    private final List<Runnable> nodeListeners = new CopyOnWriteArrayList<>();
    private final HolderFile remembered;
    private final DestinationHolders destinationHolders;
    private boolean nodesTold = true;
    private boolean synced;
    private int serviceCount;
    private int sliceCount;
    private int dualStackCount;

    /** A store without an overlay. */
    public Store() {
        this(StoreOverlay.NOTHING);
    }

    /** @param storeOverlay changes that this node makes to the objects of the sources; called under the lock */
    public Store(StoreOverlay storeOverlay) {
        this(storeOverlay, Optional.empty());
    }

    /**
     * A store that remembers which Service holds a destination that several name.
     *
     * @param state folder that the daemon may write to
     */
    public Store(StoreOverlay storeOverlay, Optional<Path> state) {
        this.storeOverlay = storeOverlay;
        this.remembered = new HolderFile(state, HolderFile.DESTINATIONS);
        this.destinationHolders = new DestinationHolders(key -> state(key).service(), remembered.read());
    }

    /** Numbers of stored objects. */
    public record Size(int services, int slices, int nodes) {}

    /** The changes that one consumer has not taken yet. Used by one thread. */
    public final class Cursor {
        private final Runnable nudge;
        private final Set<ServiceKey> unseenServices = new HashSet<>();
        private final Set<String> unseenNodes = new HashSet<>();
        private boolean unseenCidrs;
        private boolean first = true;
        private boolean nudged;
        private final ChangeCounter changeCounter = new ChangeCounter();

        private Cursor(Runnable nudge) {
            this.nudge = nudge;
        }

        /** Returns what changed since the last call; everything the first time; empty until the sources have been read completely. */
        public Optional<Changes> take() {
            synchronized (lock) {
                if (!synced) {
                    return Optional.empty();
                }
                TreeMap<ServiceKey, ServiceState> changed = new TreeMap<>();
                unseenServices.forEach(key -> changed.put(key, shown(key)));
                TreeMap<String, Optional<Node>> changedNodes = new TreeMap<>();
                unseenNodes.forEach(name -> changedNodes.put(name, Optional.ofNullable(nodes.get(name))));
                Optional<List<IpPrefix>> changedCidrs =
                        unseenCidrs ? Optional.of(networks(serviceCidrs.values())) : Optional.empty();
                Changes changes = new Changes(first, changed, changedNodes, changedCidrs, changeCounter.take());
                unseenServices.clear();
                unseenNodes.clear();
                unseenCidrs = false;
                first = false;
                nudged = false;
                return Optional.of(changes);
            }
        }

        /** Counts of the changes since the last take. */
        public ChangeMetadata waiting() {
            synchronized (lock) {
                return changeCounter.look();
            }
        }

        private void seeAll() {
            unseenServices.addAll(states.keySet());
            unseenNodes.addAll(nodes.keySet());
            unseenCidrs = true;
        }

        /** Whether a wakeup is due: there is something to take and the consumer has not been notified. */
        private boolean due() {
            boolean due =
                    synced && !nudged && (first || !unseenServices.isEmpty() || !unseenNodes.isEmpty() || unseenCidrs);
            nudged |= due;
            return due;
        }
    }

    /**
     * A new consumer, which has not taken anything.
     *
     * @param nudge the wakeup: called, at most once between two takes, when there is something to take; must return at once
     */
    public Cursor cursor(Runnable nudge) {
        Cursor cursor = new Cursor(nudge);
        boolean due;
        synchronized (lock) {
            cursors.add(cursor);
            cursor.seeAll();
            due = cursor.due();
        }
        if (due) {
            nudge.run();
        }
        return cursor;
    }

    /** Applies updates of a source. All of them become visible at once. */
    public void apply(List<Update> updates) {
        synchronized (lock) {
            List<Update> derived = storeOverlay.derived(updates);
            updates.forEach(this::apply);
            derived.forEach(this::apply);
        }
        remember();
        wakeConsumers();
    }

    private void remember() {
        synchronized (remembered) {
            Optional<SortedMap<String, String>> news;
            synchronized (lock) {
                news = destinationHolders.news();
            }
            news.ifPresent(remembered::write);
        }
    }

    /** Destinations that several Services name, and the holder of each. */
    public List<DestinationConflict> disputes() {
        synchronized (lock) {
            return destinationHolders.disputes();
        }
    }

    /** Conflicts that these updates would cause; nothing is changed. */
    public List<DestinationConflict> dryRun(List<Update> updates) {
        synchronized (lock) {
            return destinationHolders.dryRun(updates);
        }
    }

    /**
     * Applies changes by this node.
     *
     * @param news called under the lock, with the state of all services; must be fast
     */
    public void locally(Function<Map<ServiceKey, ServiceState>, StoreOverlay.News> news) {
        synchronized (lock) {
            StoreOverlay.News told = news.apply(Collections.unmodifiableMap(states));
            told.updates().forEach(this::apply);
            told.touched().forEach(key -> cursors.forEach(cursor -> cursor.unseenServices.add(key)));
        }
        wakeConsumers();
    }

    /** The sources have been read completely: from now on, an object that is not here does not exist. */
    public void markSynced() {
        synchronized (lock) {
            synced = true;
            destinationHolders.started();
        }
        remember();
        wakeConsumers();
    }

    public boolean isSynced() {
        synchronized (lock) {
            return synced;
        }
    }

    /** Whether a source has reported an equal object; also when nothing of it is kept. */
    public boolean has(ApiObject object) {
        synchronized (lock) {
            return switch (object) {
                case Service service ->
                    state(new ServiceKey(service.namespace(), service.name()))
                            .service()
                            .filter(service::equals)
                            .isPresent();
                case EndpointSlice slice -> slice.service().isEmpty() || slice.equals(slices.get(slice.key()));
                case Node node -> node.equals(nodes.get(node.name()));
                case ServiceCidr cidr -> cidr.equals(serviceCidrs.get(cidr.name()));
                case WrittenService ignored -> false;
                case IpAddress ignored -> true;
            };
        }
    }

    /** The current state of one service, for use outside the hot path. */
    public ServiceState service(ServiceKey key) {
        synchronized (lock) {
            return shown(key);
        }
    }

    /** The state of all services, as of one moment. */
    public List<ServiceState> services() {
        synchronized (lock) {
            return states.keySet().stream().map(this::shown).toList();
        }
    }

    /** A node's own object, if a source has it. */
    public Optional<Node> node(String name) {
        synchronized (lock) {
            return Optional.ofNullable(nodes.get(name));
        }
    }

    /** Networks of ClusterIPs, by name of the ServiceCIDR. */
    public List<ServiceCidr> serviceCidrs() {
        synchronized (lock) {
            return List.copyOf(serviceCidrs.values());
        }
    }

    /** Calls {@code listener} after Node objects have changed; it must return at once. */
    public void onNodes(Runnable listener) {
        nodeListeners.add(listener);
    }

    public Size size() {
        synchronized (lock) {
            return new Size(serviceCount, sliceCount, nodes.size());
        }
    }

    /** Services with both families, headless ones included. */
    public int dualStackServices() {
        synchronized (lock) {
            return dualStackCount;
        }
    }

    private void wakeConsumers() {
        List<Cursor> due;
        boolean tellNodes;
        synchronized (lock) {
            due = cursors.stream().filter(Cursor::due).toList();
            tellNodes = !nodesTold;
            nodesTold = true;
        }
        due.forEach(cursor -> cursor.nudge.run());
        if (tellNodes) {
            nodeListeners.forEach(Runnable::run);
        }
    }

    private static List<IpPrefix> networks(Collection<ServiceCidr> objects) {
        return objects.stream().flatMap(object -> object.cidrs().stream()).toList();
    }

    private ServiceState state(ServiceKey key) {
        return states.getOrDefault(key, ServiceState.GONE);
    }

    private ServiceState shown(ServiceKey key) {
        ServiceState shown = storeOverlay.shown(key, state(key));
        Set<Destination> lost = destinationHolders.lost(key);
        return lost.isEmpty() ? shown : shown.losing(lost);
    }

    /** Replaces the state of a service, and notifies all consumers. */
    private void replace(ServiceKey key, ServiceState now) {
        ServiceState before = now.isGone() ? states.remove(key) : states.put(key, now);
        ServiceState old = before == null ? ServiceState.GONE : before;
        serviceCount += (now.service().isPresent() ? 1 : 0) - (old.service().isPresent() ? 1 : 0);
        dualStackCount += (isDualStack(now) ? 1 : 0) - (isDualStack(old) ? 1 : 0);
        sliceCount += now.slices().size() - old.slices().size();
        storeOverlay.onReplaced(key, now);
        cursors.forEach(cursor -> cursor.unseenServices.add(key));
        for (ServiceKey other : destinationHolders.changed(key, old.service(), now.service())) {
            cursors.forEach(cursor -> cursor.unseenServices.add(other));
        }
    }

    private static boolean isDualStack(ServiceState state) {
        return state.service()
                .filter(service ->
                        service.ipFamilies().size() > 1 || service.clusterIps().size() > 1)
                .isPresent();
    }

    private void apply(Update update) {
        switch (update) {
            case Update.Put(Service service) -> {
                ServiceKey key = new ServiceKey(service.namespace(), service.name());
                replace(key, state(key).with(Optional.of(service)));
                tell(ChangeCounter::ofService);
            }
            case Update.Put(EndpointSlice slice) -> {
                ObjectKey key = slice.key();
                Optional<ServiceKey> owner = owner(slice);
                Optional<EndpointSlice> before = Optional.ofNullable(slices.get(key));
                // In one step if it stays with its service: no consumer must see the service without it in between.
                if (!owner.equals(before.flatMap(Store::owner))) {
                    forgetSlice(key);
                }
                owner.ifPresent(service -> {
                    ServiceState state = state(service);
                    EndpointSlice kept = shared.in(slice, state);
                    slices.put(key, kept);
                    replace(service, state.with(kept));
                    tell(changeCounter -> changeCounter.ofSlice(kept, before));
                });
            }
            case Update.Put(Node node) -> {
                nodes.put(node.name(), node);
                nodeChanged(node.name());
            }
            case Update.Put(ServiceCidr cidr) -> {
                serviceCidrs.put(cidr.name(), cidr);
                cursors.forEach(c -> c.unseenCidrs = true);
            }
            // Reconcilers need neither IPAddress objects nor Services before admission.
            case Update.Put(WrittenService written) ->
                throw new IllegalArgumentException(written.key() + " is not settled");
            case Update.Put(IpAddress ignored) -> {}
            case Update.Gone(ObjectKey key) -> gone(key);
        }
    }

    /** Counts a change; nothing is counted before the sources have been read completely. */
    private void tell(Consumer<ChangeCounter> of) {
        if (synced) {
            cursors.forEach(cursor -> of.accept(cursor.changeCounter));
        }
    }

    private static Optional<ServiceKey> owner(EndpointSlice slice) {
        return slice.service().map(name -> new ServiceKey(slice.namespace(), name));
    }

    private void nodeChanged(String name) {
        nodesTold = false;
        cursors.forEach(c -> c.unseenNodes.add(name));
    }

    private void gone(ObjectKey key) {
        switch (key.kind()) {
            case SERVICE -> {
                ServiceKey service = new ServiceKey(key.namespace(), key.name());
                if (state(service).service().isPresent()) {
                    replace(service, state(service).with(Optional.empty()));
                    tell(ChangeCounter::ofService);
                }
            }
            case ENDPOINT_SLICE -> {
                EndpointSlice last = slices.get(key);
                if (last != null) {
                    tell(changeCounter -> changeCounter.ofSliceGone(last));
                    forgetSlice(key);
                }
            }
            case NODE -> {
                if (nodes.remove(key.name()) != null) {
                    nodeChanged(key.name());
                }
            }
            case IP_ADDRESS -> {}
            case SERVICE_CIDR -> {
                if (serviceCidrs.remove(key.name()) != null) {
                    cursors.forEach(c -> c.unseenCidrs = true);
                }
            }
        }
    }

    private void forgetSlice(ObjectKey key) {
        Optional.ofNullable(slices.remove(key))
                .flatMap(Store::owner)
                .ifPresent(owner -> replace(owner, state(owner).without(key.name())));
    }
}
