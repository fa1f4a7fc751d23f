package io.dualstackd.agent.source;

import io.dualstackd.agent.api.EndpointSlice;
import io.dualstackd.agent.api.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Everything known under one service name.
 *
 * @param service empty when only slices are known, or nothing any more
 * @param slices those whose label names the service, ordered by name
 */
public record ServiceState(Optional<Service> service, List<EndpointSlice> slices) {
    /** Nothing is known. */
    public static final ServiceState GONE = new ServiceState(Optional.empty(), List.of());

    public ServiceState {
        slices = List.copyOf(slices);
    }

    public boolean isGone() {
        return service.isEmpty() && slices.isEmpty();
    }

    /** The same with another Service, or without one. */
    public ServiceState with(Optional<Service> other) {
        return new ServiceState(other, slices);
    }

    /** The same with this slice, in place of one with its name. */
    public ServiceState with(EndpointSlice slice) {
        List<EndpointSlice> more = new ArrayList<>(slices.size() + 1);
        slices.stream().filter(other -> !other.name().equals(slice.name())).forEach(more::add);
        more.add(slice);
        more.sort(Comparator.comparing(EndpointSlice::name));
        return new ServiceState(service, more);
    }

    /** The same without the slice of this name. */
    public ServiceState without(String slice) {
        return new ServiceState(
                service,
                slices.stream().filter(other -> !other.name().equals(slice)).toList());
    }
}
