package io.dualstackd.bench.scale;

import io.dualstackd.dataplane.model.ServiceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One Service before and after a change. */
record ServiceTransition(Optional<ServiceView> before, Optional<ServiceView> after) {
    /**
     * Returns the effect of {@code change} on a cluster in its initial state.
     *
     * @param undo whether to return the reverse transitions instead
     */
    static List<ServiceTransition> of(Cluster cluster, ServiceChange serviceChange, boolean undo) {
        List<ServiceTransition> all = new ArrayList<>();
        serviceChange.shapes().forEach((n, serviceShape) -> {
            Optional<ServiceView> usual = cluster.view(n, cluster.usual(n));
            Optional<ServiceView> changed = cluster.view(n, serviceShape);
            all.add(undo ? new ServiceTransition(changed, usual) : new ServiceTransition(usual, changed));
        });
        return all;
    }
}
