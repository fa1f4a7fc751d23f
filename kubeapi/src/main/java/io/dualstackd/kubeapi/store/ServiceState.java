package io.dualstackd.kubeapi.store;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.view.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All objects with one service name.
 *
 * @param service empty when there are only slices, or nothing any more
 * @param slices those whose label names the service, sorted by name
 * @param lost destinations that the Service names and another one holds
 */
public record ServiceState(Optional<Service> service, List<EndpointSlice> slices, Set<Destination> lost) {
    /** No objects. */
    public static final ServiceState GONE = new ServiceState(Optional.empty(), List.of());

    public ServiceState {
        slices = List.copyOf(slices);
        lost = Set.copyOf(lost);
    }

    /** A Service that holds everything it names. */
    public ServiceState(Optional<Service> service, List<EndpointSlice> slices) {
        this(service, slices, Set.of());
    }

    /** The same, with these destinations held by other Services. */
    public ServiceState losing(Set<Destination> destinations) {
        return new ServiceState(service, slices, destinations);
    }

    public boolean isGone() {
        return service.isEmpty() && slices.isEmpty();
    }

    /** The same with another Service, or without one. */
    public ServiceState with(Optional<Service> other) {
        return new ServiceState(other, slices, lost);
    }

    /** The same with this slice, replacing one of the same name. */
    public ServiceState with(EndpointSlice slice) {
        List<EndpointSlice> more = new ArrayList<>(slices.size() + 1);
        int place = 0;
        for (EndpointSlice other : slices) {
            int order = other.name().compareTo(slice.name());
            if (order != 0) {
                more.add(other);
            }
            place += order < 0 ? 1 : 0;
        }
        more.add(place, slice);
        return new ServiceState(service, more, lost);
    }

    /** The same without the slice of this name. */
    public ServiceState without(String slice) {
        return new ServiceState(
                service,
                slices.stream().filter(other -> !other.name().equals(slice)).toList(),
                lost);
    }
}
