package io.dualstackd.bench.scale;

import io.dualstackd.dataplane.model.ServiceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One Service before and after a change. */
record Transition(Optional<ServiceView> before, Optional<ServiceView> after) {
    /**
     * What {@code change} does to a cluster that looks as usual.
     *
     * @param undo the way back instead
     */
    static List<Transition> of(Cluster cluster, ServiceChange serviceChange, boolean undo) {
        List<Transition> all = new ArrayList<>();
        serviceChange.looks().forEach((n, serviceShape) -> {
            Optional<ServiceView> usual = cluster.view(n, cluster.usual(n));
            Optional<ServiceView> changed = cluster.view(n, serviceShape);
            all.add(undo ? new Transition(changed, usual) : new Transition(usual, changed));
        });
        return all;
    }
}
