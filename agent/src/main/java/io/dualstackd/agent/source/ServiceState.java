package io.dualstackd.agent.source;

import io.dualstackd.agent.api.EndpointSlice;
import io.dualstackd.agent.api.Service;
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
}
