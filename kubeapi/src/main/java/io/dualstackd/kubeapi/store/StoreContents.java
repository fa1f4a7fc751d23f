package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Endpoints;
import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The objects of a store: Services with their slices, nodes, networks of ClusterIPs. Used under the lock of the store. */
public final class StoreContents {
    private final Listener listener;
    private final Map<ServiceKey, ServiceState> states = new HashMap<>();
    /** As received: the label with the service may change. */
    private final NameIndex sliceNames = new NameIndex();

    private @Nullable EndpointSlice[] slices = new EndpointSlice[0];

    private final SharedParts shared = new SharedParts();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, ServiceCidr> serviceCidrs = new TreeMap<>();
    private int serviceCount;
    private int sliceCount;
    private int dualStackCount;
    private final OneSidedServices oneSided = new OneSidedServices();
    /** Names of Services that are not there, but have slices. */
    private final Set<ServiceKey> missing = new HashSet<>();

    /** Receives what an update changed. */
    public interface Listener {
        void service(ServiceKey key, ServiceState before, ServiceState now);

        void node(String name);

        void serviceCidrs();

        /** A change to be counted, once for each update that changed something. */
        void changed(Consumer<ChangeCounter> change);
    }

    public StoreContents(Listener listener) {
        this.listener = listener;
    }

    /** The objects with this service name; {@link ServiceState#GONE} when there are none. */
    public ServiceState state(ServiceKey key) {
        return states.getOrDefault(key, ServiceState.GONE);
    }

    public Map<ServiceKey, ServiceState> states() {
        return Collections.unmodifiableMap(states);
    }

    public Map<String, Node> nodes() {
        return Collections.unmodifiableMap(nodes);
    }

    public List<ServiceCidr> serviceCidrs() {
        return List.copyOf(serviceCidrs.values());
    }

    /** The networks of all ServiceCIDRs. */
    public List<IpPrefix> networks() {
        return serviceCidrs.values().stream()
                .flatMap(object -> object.cidrs().stream())
                .toList();
    }

    public int serviceCount() {
        return serviceCount;
    }

    public int sliceCount() {
        return sliceCount;
    }

    /** Services with both families, headless ones included. */
    public int dualStackCount() {
        return dualStackCount;
    }

    /** Services with both families and ready endpoints of one, by the family of which they have none. */
    public Map<IpFamily, Integer> oneSided() {
        return oneSided.counts();
    }

    /** The slices whose Service is not there, ordered by its name. */
    public List<EndpointSlice> slicesWithoutService() {
        return missing.stream()
                .sorted()
                .flatMap(key -> state(key).slices().stream())
                .toList();
    }

    /** The Service or slice as a source has reported it last; empty when nothing of it is kept. */
    public Optional<ApiObject> reported(ObjectKey key) {
        return switch (key.kind()) {
            case SERVICE ->
                state(new ServiceKey(key.namespace(), key.name())).service().map(ApiObject.class::cast);
            case ENDPOINT_SLICE -> Optional.ofNullable(slice(key.namespace(), key.name()));
            case NODE, SERVICE_CIDR, IP_ADDRESS, ENDPOINTS -> Optional.empty();
        };
    }

    /** Whether a source has reported an equal object; also when nothing of it is kept. */
    public boolean has(ApiObject object) {
        return switch (object) {
            case Service service ->
                state(new ServiceKey(service.namespace(), service.name()))
                        .service()
                        .filter(service::equals)
                        .isPresent();
            case EndpointSlice slice -> {
                EndpointSlice kept = slice(slice.namespace(), slice.name());
                yield slice.service().isEmpty() ? kept == null : slice.equals(kept);
            }
            case Node node -> node.equals(nodes.get(node.name()));
            case ServiceCidr cidr -> cidr.equals(serviceCidrs.get(cidr.name()));
            case WrittenService ignored -> false;
            case IpAddress ignored -> true;
            case Endpoints ignored -> true;
        };
    }

    public void apply(Update update) {
        switch (update) {
            case Update.Put(Service service) -> {
                ServiceKey key = new ServiceKey(service.namespace(), service.name());
                replace(key, state(key).with(Optional.of(service)));
                listener.changed(ChangeCounter::ofService);
            }
            case Update.Put(EndpointSlice slice) -> put(slice);
            case Update.Put(Node node) -> {
                nodes.put(node.name(), node);
                listener.node(node.name());
            }
            case Update.Put(ServiceCidr cidr) -> {
                serviceCidrs.put(cidr.name(), cidr);
                listener.serviceCidrs();
            }
            // Reconcilers need neither IPAddress objects nor Services before admission.
            case Update.Put(WrittenService written) ->
                throw new IllegalArgumentException(written.key() + " is not settled");
            case Update.Put(IpAddress ignored) -> {}
            case Update.Put(Endpoints ignored) -> {}
            case Update.Gone(ObjectKey key) -> gone(key);
        }
    }

    private void put(EndpointSlice slice) {
        Optional<ServiceKey> owner = owner(slice);
        int number = sliceNames.find(slice.namespace(), slice.name());
        Optional<EndpointSlice> before = number < 0 ? Optional.empty() : Optional.ofNullable(slices[number]);
        // In one step if it stays with its service: no consumer must see the service without it in between.
        boolean isMoved = before.isPresent() && !owner.equals(before.flatMap(StoreContents::owner));
        if (isMoved) {
            forget(before.get());
        }
        if (owner.isPresent()) {
            ServiceState state = state(owner.get());
            EndpointSlice kept = shared.in(slice, state);
            keep(isMoved || number < 0 ? sliceNames.add(slice.namespace(), slice.name()) : number, kept);
            replace(owner.get(), state.with(kept));
            listener.changed(counter -> counter.ofSlice(kept, before));
        }
    }

    private void gone(ObjectKey key) {
        switch (key.kind()) {
            case SERVICE -> {
                ServiceKey service = new ServiceKey(key.namespace(), key.name());
                if (state(service).service().isPresent()) {
                    replace(service, state(service).with(Optional.empty()));
                    listener.changed(ChangeCounter::ofService);
                }
            }
            case ENDPOINT_SLICE -> {
                EndpointSlice last = slice(key.namespace(), key.name());
                if (last != null) {
                    listener.changed(counter -> counter.ofSliceGone(last));
                    forget(last);
                }
            }
            case NODE -> {
                if (nodes.remove(key.name()) != null) {
                    listener.node(key.name());
                }
            }
            case IP_ADDRESS, ENDPOINTS -> {}
            case SERVICE_CIDR -> {
                if (serviceCidrs.remove(key.name()) != null) {
                    listener.serviceCidrs();
                }
            }
        }
    }

    private @Nullable EndpointSlice slice(String namespace, String name) {
        int number = sliceNames.find(namespace, name);
        return number < 0 ? null : slices[number];
    }

    private void keep(int number, EndpointSlice slice) {
        if (number >= slices.length) {
            slices = Arrays.copyOf(slices, NameIndex.roomFor(number));
        }
        slices[number] = slice;
    }

    private void forget(EndpointSlice slice) {
        int number = sliceNames.find(slice.namespace(), slice.name());
        sliceNames.remove(number);
        slices[number] = null;
        owner(slice).ifPresent(owner -> replace(owner, state(owner).without(slice.name())));
    }

    private static Optional<ServiceKey> owner(EndpointSlice slice) {
        Optional<String> name = slice.service();
        return name.isEmpty() ? Optional.empty() : Optional.of(new ServiceKey(slice.namespace(), name.get()));
    }

    private void replace(ServiceKey key, ServiceState now) {
        ServiceState before = now.isGone() ? states.remove(key) : states.put(key, now);
        ServiceState old = before == null ? ServiceState.GONE : before;
        serviceCount += (now.service().isPresent() ? 1 : 0) - (old.service().isPresent() ? 1 : 0);
        oneSided.replaced(old, now);
        if (lacksService(now)) {
            missing.add(key);
        } else if (lacksService(old)) {
            missing.remove(key);
        }
        dualStackCount += (isDualStack(now) ? 1 : 0) - (isDualStack(old) ? 1 : 0);
        sliceCount += now.slices().size() - old.slices().size();
        listener.service(key, old, now);
    }

    private static boolean lacksService(ServiceState state) {
        return state.service().isEmpty() && !state.slices().isEmpty();
    }

    private static boolean isDualStack(ServiceState state) {
        return state.service().filter(OneSidedServices::isDualStack).isPresent();
    }

    /**
     * Shares equal parts of slices: a cluster has tens of thousands of slices and only a few combinations of port names, and all slices of a
     * Service contain its name. Used by one thread.
     */
    private static final class SharedParts {
        /** Limit on the number of entries, so that made-up port names cannot fill the memory. */
        private static final int MOST = 1024;

        private final Map<List<EndpointSlice.Port>, List<EndpointSlice.Port>> ports = new HashMap<>();

        /**
         * Returns an equal slice that shares parts with others.
         *
         * @param state of its Service
         */
        EndpointSlice in(EndpointSlice slice, ServiceState state) {
            return new EndpointSlice(
                    slice.namespace(),
                    slice.name(),
                    state.slices().isEmpty()
                            ? slice.service()
                            : state.slices().getFirst().service(),
                    slice.headless(),
                    slice.addressType(),
                    shared(slice.ports()),
                    slice.endpoints(),
                    slice.triggerTime());
        }

        private List<EndpointSlice.Port> shared(List<EndpointSlice.Port> list) {
            List<EndpointSlice.Port> same = ports.get(list);
            if (same != null) {
                return same;
            }
            if (ports.size() >= MOST) {
                ports.clear();
            }
            ports.put(list, list);
            return list;
        }
    }
}
