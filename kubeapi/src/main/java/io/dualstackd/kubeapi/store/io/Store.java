package io.dualstackd.kubeapi.store.io;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.store.ChangeCounter;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.kubeapi.store.Changes;
import io.dualstackd.kubeapi.store.DestinationConflict;
import io.dualstackd.kubeapi.store.DestinationHolders;
import io.dualstackd.kubeapi.store.ServiceDiff;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.StoreContents;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.view.Destination;
import io.dualstackd.kubeapi.view.KeyedHash;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.supervision.Listeners;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current objects, and for each consumer the changes it has not taken yet.
 *
 * <p>Thread-safe; one lock, never held while a wakeup runs. The cost of writing and taking depends on what changed, not on what is stored:
 * a slice of a service costs that service's slices.
 */
public final class Store {
    private static final Logger LOG = LoggerFactory.getLogger("objects");

    private final Object lock = new Object();
    private final boolean externalIps;
    private final StoreOverlay storeOverlay;
    private final StoreContents contents = new StoreContents(new Marking());
    private final List<Cursor> cursors = new ArrayList<>();
    private final List<Runnable> nodeListeners = new CopyOnWriteArrayList<>();
    private final HolderFile remembered;
    private final DestinationHolders destinationHolders;
    private boolean nodesTold = true;
    private boolean synced;

    /** A store without an overlay. */
    public Store() {
        this(StoreOverlay.NOTHING, Optional.empty());
    }

    /** A store that keeps external IPs. */
    public Store(StoreOverlay storeOverlay, Optional<Path> state) {
        this(storeOverlay, state, true);
    }

    /**
     * A store that remembers which Service holds a destination that several name.
     *
     * @param storeOverlay changes that this node makes to the objects of the sources; called under the lock
     * @param state folder that the daemon may write to
     * @param externalIps false: Services have no external IPs, whatever the sources say
     */
    public Store(StoreOverlay storeOverlay, Optional<Path> state, boolean externalIps) {
        this.externalIps = externalIps;
        this.storeOverlay = storeOverlay;
        this.remembered = new HolderFile(state, HolderFile.DESTINATIONS);
        SecureRandom random = new SecureRandom();
        this.destinationHolders = new DestinationHolders(
                key -> contents.state(key).service(),
                remembered.read(),
                new KeyedHash(random.nextLong(), random.nextLong()));
    }

    /** Numbers of stored objects. */
    public record Size(int services, int slices, int nodes) {}

    /** The changes that one consumer has not taken yet. Used by one thread. */
    public final class Cursor {
        private final Runnable signal;
        /** Whether the first take names the Services that there are. */
        private final boolean namesExisting;
        /** A new set after each take: clearing one costs the largest size it ever had. */
        private Set<ServiceKey> unseenServices = new HashSet<>();

        private Set<String> unseenNodes = new HashSet<>();
        private boolean unseenCidrs;
        private boolean first = true;
        private boolean signalled;
        private final ChangeCounter changeCounter = new ChangeCounter();

        private Cursor(Runnable signal, boolean namesExisting) {
            this.signal = signal;
            this.namesExisting = namesExisting;
        }

        /**
         * Returns what changed since the last call; the first time everything, or everything but Services ({@link #cursorOfChanges}); empty
         * until the sources have been read completely.
         */
        public Optional<Changes> take() {
            synchronized (lock) {
                if (!synced) {
                    return Optional.empty();
                }
                TreeMap<ServiceKey, ServiceState> changed = new TreeMap<>();
                (first && namesExisting ? contents.states().keySet() : unseenServices)
                        .forEach(key -> changed.put(key, shown(key)));
                TreeMap<String, Optional<Node>> changedNodes = new TreeMap<>();
                (first ? contents.nodes().keySet() : unseenNodes)
                        .forEach(name -> changedNodes.put(
                                name, Optional.ofNullable(contents.nodes().get(name))));
                Optional<List<IpPrefix>> changedCidrs =
                        first || unseenCidrs ? Optional.of(contents.networks()) : Optional.empty();
                Changes changes =
                        new Changes(first && namesExisting, changed, changedNodes, changedCidrs, changeCounter.take());
                unseenServices = new HashSet<>();
                unseenNodes = new HashSet<>();
                unseenCidrs = false;
                first = false;
                signalled = false;
                return Optional.of(changes);
            }
        }

        /**
         * The consumer was signalled and cannot take yet, because it waits for something: the next change signals it again. To be called before
         * it looks whether that is still so, so that no change falls in between.
         */
        public void notYet() {
            synchronized (lock) {
                signalled = false;
            }
        }

        /** What was taken is lost: the next take returns everything again. The next change signals the consumer. */
        public void again() {
            synchronized (lock) {
                first = true;
                signalled = false;
            }
        }

        /** Counts of the changes since the last take. */
        public ChangeMetadata waiting() {
            synchronized (lock) {
                return changeCounter.peek();
            }
        }

        /** Changes before the first take need no record: it returns the contents. */
        private void see(ServiceKey service) {
            if (!first) {
                unseenServices.add(service);
            }
        }

        private void see(String node) {
            if (!first) {
                unseenNodes.add(node);
            }
        }

        /** Whether a wakeup is due: there is something to take and the consumer has not been notified. */
        private boolean due() {
            boolean due = synced
                    && !signalled
                    && (first || !unseenServices.isEmpty() || !unseenNodes.isEmpty() || unseenCidrs);
            signalled |= due;
            return due;
        }
    }

    /**
     * A new consumer, which has not taken anything.
     *
     * @param signal the wakeup: called, at most once between two takes ({@link Cursor#notYet} aside), when there is something to take; must
     *     return at once
     */
    public Cursor cursor(Runnable signal) {
        return add(new Cursor(signal, true));
    }

    /**
     * A new consumer whose first take names no Services, because it reads all {@link #services} itself: in a large cluster, naming them
     * takes megabytes. Everything else is as for {@link #cursor}.
     */
    public Cursor cursorOfChanges(Runnable signal) {
        return add(new Cursor(signal, false));
    }

    private Cursor add(Cursor cursor) {
        boolean due;
        synchronized (lock) {
            cursors.add(cursor);
            due = cursor.due();
        }
        if (due) {
            cursor.signal.run();
        }
        return cursor;
    }

    /** Applies updates of a source. All of them become visible at once. */
    public void apply(List<Update> updates) {
        synchronized (lock) {
            List<Update> derived = storeOverlay.derived(updates);
            updates.forEach(update -> contents.apply(kept(update)));
            derived.forEach(contents::apply);
            storeOverlay.delivered(derived);
        }
        remember();
        wakeConsumers();
    }

    private Update kept(Update update) {
        return !externalIps && update instanceof Update.Put(ApiObject object) ? new Update.Put(kept(object)) : update;
    }

    /** What is kept of an object. Nothing derived from it sees more, so rules, conflicts and explanations agree. */
    private ApiObject kept(ApiObject object) {
        return !externalIps && object instanceof Service service ? service.withoutExternalIps() : object;
    }

    private void remember() {
        synchronized (remembered) {
            Optional<? extends Map<String, String>> contested;
            synchronized (lock) {
                contested = destinationHolders.takeChanged();
            }
            if (contested.isEmpty()) {
                contested = remembered.unwritten();
            }
            contested.ifPresent(remembered::write);
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
            return destinationHolders.dryRun(updates.stream().map(this::kept).toList());
        }
    }

    /**
     * Applies changes by this node.
     *
     * @param change called under the lock, with the state of all services; must be fast
     */
    public void locally(Function<Map<ServiceKey, ServiceState>, StoreOverlay.LocalChanges> change) {
        synchronized (lock) {
            StoreOverlay.LocalChanges changes = change.apply(contents.states());
            changes.updates().forEach(contents::apply);
            storeOverlay.delivered(changes.updates());
            changes.touched().forEach(key -> cursors.forEach(cursor -> cursor.see(key)));
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
            return contents.has(kept(object));
        }
    }

    /** The Service or slice as a source has reported it last; empty when nothing of it is kept. */
    public Optional<ApiObject> reported(ObjectKey key) {
        synchronized (lock) {
            return contents.reported(key);
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
            return contents.states().keySet().stream().map(this::shown).toList();
        }
    }

    /** The slices whose Service is not there, ordered by its name. */
    public List<EndpointSlice> slicesWithoutService() {
        synchronized (lock) {
            return contents.slicesWithoutService();
        }
    }

    /** A node's own object, if a source has it. */
    public Optional<Node> node(String name) {
        synchronized (lock) {
            return Optional.ofNullable(contents.nodes().get(name));
        }
    }

    /** Networks of ClusterIPs, by name of the ServiceCIDR. */
    public List<ServiceCidr> serviceCidrs() {
        synchronized (lock) {
            return contents.serviceCidrs();
        }
    }

    /** Calls {@code listener} after Node objects have changed; it must return at once. */
    public void onNodes(Runnable listener) {
        nodeListeners.add(listener);
    }

    public Size size() {
        synchronized (lock) {
            return new Size(
                    contents.serviceCount(),
                    contents.sliceCount(),
                    contents.nodes().size());
        }
    }

    /** Services with both families, headless ones included. */
    public int dualStackServices() {
        synchronized (lock) {
            return contents.dualStackCount();
        }
    }

    /** Services with both families and ready endpoints of one, by the family of which they have none. */
    public Map<IpFamily, Integer> oneSidedServices() {
        synchronized (lock) {
            return contents.oneSided();
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
        List<Runnable> all = new ArrayList<>();
        due.forEach(cursor -> all.add(() -> signal(cursor)));
        if (tellNodes) {
            all.addAll(nodeListeners);
        }
        Listeners.callAll(all);
    }

    /** Wakes a consumer; when that fails, the next change does it again. */
    private void signal(Cursor cursor) {
        try {
            cursor.signal.run();
        } catch (RuntimeException e) {
            cursor.notYet();
            throw e;
        }
    }

    private ServiceState shown(ServiceKey key) {
        ServiceState shown = storeOverlay.shown(key, contents.state(key));
        Set<Destination> lost = destinationHolders.lost(key);
        return lost.isEmpty() ? shown : shown.losing(lost);
    }

    /** Marks what changed as unseen by all consumers. */
    private final class Marking implements StoreContents.Listener {
        @Override
        public void service(ServiceKey key, ServiceState before, ServiceState now) {
            if (LOG.isDebugEnabled()) {
                LOG.debug("service changed service={} what=\"{}\"", key, new ServiceDiff(key, before, now));
            }
            for (Cursor cursor : cursors) {
                cursor.see(key);
            }
            for (ServiceKey other : destinationHolders.changed(key, before.service(), now.service())) {
                cursors.forEach(cursor -> cursor.see(other));
            }
            // Last: when it fails, consumers get what has been replaced nevertheless.
            storeOverlay.onReplaced(key, now);
        }

        @Override
        public void node(String name) {
            nodesTold = false;
            cursors.forEach(cursor -> cursor.see(name));
        }

        @Override
        public void serviceCidrs() {
            cursors.forEach(cursor -> cursor.unseenCidrs = true);
        }

        /** Nothing is counted before the sources have been read completely. */
        @Override
        public void changed(Consumer<ChangeCounter> change) {
            if (synced) {
                cursors.forEach(cursor -> change.accept(cursor.changeCounter));
            }
        }
    }
}
