package io.dualstackd.admin.objects;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.LedgerView;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The objects in force.
 *
 * @param services as the reconcilers see them
 * @param generatedSlices slices made from the pods of this node; among {@code services} they have other names. Empty when no container runtime is
 *     followed
 * @param cidrs networks of ClusterIPs
 * @param ledger empty where Services are taken as they are written
 * @param events the newest last; none where an API server keeps them
 * @param problems of manifests, as they are now
 * @param leftOut Services the kernel refuses, each with the error
 * @param node name of this node
 * @param madeAt when this report was made
 * @param changed when a change of a Service or its endpoints was last put in force; empty when there was none since the start
 * @param whole returns whole objects for those of which only a part is kept
 */
public record ObjectsReport(
        List<ServiceState> services,
        Optional<List<GeneratedSlice>> generatedSlices,
        List<ServiceCidr> cidrs,
        Optional<LedgerView> ledger,
        List<Event> events,
        List<Problem> problems,
        Map<ServiceKey, String> leftOut,
        String node,
        Instant madeAt,
        Function<ServiceKey, Optional<Instant>> changed,
        WholeObjects whole) {
    private static final Comparator<KnownObject> ORDER =
            Comparator.comparing(KnownObject::namespace).thenComparing(KnownObject::name);

    public ObjectsReport {
        services = List.copyOf(services);
        generatedSlices = generatedSlices.map(List::copyOf);
        cidrs = List.copyOf(cidrs);
        events = List.copyOf(events);
        problems = List.copyOf(problems);
        leftOut = Map.copyOf(leftOut);
    }

    /** All objects of one kind that a source can have, ordered by namespace and name; events in order of arrival. */
    List<KnownObject> all(ObjectKind kind) {
        return switch (kind) {
            case SERVICES -> inForce();
            case ENDPOINT_SLICES ->
                Stream.concat(written(), ofPods()).sorted(ORDER).toList();
            case ENDPOINTS -> EndpointsObjects.of(inForce(), all(ObjectKind.ENDPOINT_SLICES));
            case SERVICE_CIDRS -> serviceCidrs();
            case IP_ADDRESSES ->
                entries(Entry.AddressEntry.class).map(LedgerObjects::address).toList();
            case EVENTS ->
                events.stream().map(event -> LedgerObjects.event(event, node)).toList();
            case PODS, NODES -> List.of();
        };
    }

    /** The Services in force: with a ledger those that it admitted, whether or not the reconcilers have applied them. */
    private List<KnownObject> inForce() {
        Stream<KnownObject> known = ledger.isPresent()
                ? entries(Entry.ServiceEntry.class).map(LedgerObjects::service)
                : services.stream()
                        .flatMap(state -> state.service().stream())
                        .map(service -> StoredObjects.service(service)
                                .since(since(service.key()).or(() -> created(service))));
        return known.sorted(ORDER).toList();
    }

    private Stream<KnownObject> written() {
        return services.stream()
                .flatMap(state -> state.slices().stream())
                .filter(slice -> !GeneratedSlice.isMade(slice))
                .map(slice -> StoredObjects.slice(slice).since(since(slice.key())));
    }

    private static Optional<Instant> created(Service service) {
        return service.created() == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(service.created()));
    }

    /** Manifests have no time of creation, so it is when the file of an object was last written. */
    private Optional<Instant> since(ObjectKey key) {
        return whole.since().apply(key);
    }

    private Stream<KnownObject> ofPods() {
        List<GeneratedSlice> slices = generatedSlices.orElse(List.of());
        Map<ServiceKey, String> uids = new HashMap<>();
        if (!slices.isEmpty()) {
            entries(Entry.ServiceEntry.class)
                    .map(LedgerObjects::service)
                    .forEach(service -> uids.put(
                            new ServiceKey(service.namespace(), service.name()), service.text("metadata", "uid")));
        }
        return slices.stream()
                .map(slice -> PodSliceObjects.slice(
                        slice,
                        Optional.ofNullable(uids.get(new ServiceKey(
                                slice.slice().namespace(),
                                slice.slice().service().orElse(""))))));
    }

    /** The slices of a Service, ordered by name. */
    List<KnownObject> slicesOf(String namespace, String service) {
        return all(ObjectKind.ENDPOINT_SLICES).stream()
                .filter(slice -> slice.namespace().equals(namespace)
                        && slice.text("metadata", "labels", StoredObjects.OWNER_LABEL)
                                .equals(service))
                .toList();
    }

    private <E extends Entry> Stream<E> entries(Class<E> type) {
        return ledger.stream()
                .flatMap(view -> view.entries().stream())
                .filter(type::isInstance)
                .map(type::cast);
    }

    private List<KnownObject> serviceCidrs() {
        return ledger.isEmpty()
                ? cidrs.stream().map(StoredObjects::cidr).toList()
                : entries(Entry.CidrEntry.class)
                        .map(cidr -> LedgerObjects.cidr(cidr, ledger.get()))
                        .toList();
    }
}
