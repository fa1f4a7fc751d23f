package io.dualstackd.kubeapi.store;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares equal parts of slices: a cluster has tens of thousands of slices and only a few combinations of port names, and all slices of a
 * Service contain its name. Used by one thread.
 */
public final class SharedParts {
    /** Limit on the number of entries, so that made-up port names cannot fill the memory. */
    private static final int MOST = 1024;

    private final Map<List<EndpointSlice.Port>, List<EndpointSlice.Port>> ports = new HashMap<>();

    /**
     * Returns an equal slice that shares parts with others.
     *
     * @param state of its Service
     */
    public EndpointSlice in(EndpointSlice slice, ServiceState state) {
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
