package io.dualstackd.bench.scale;

import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The wanted Services. Plans are made when they are requested, as in the daemon, so making them is measured and storing them is not. */
final class Wanted implements ServicePlans {
    private final Cluster cluster;
    private final Planner planner;
    private final Map<Integer, ServiceShape> unusual = new HashMap<>();

    Wanted(Cluster cluster) {
        this.cluster = cluster;
        this.planner = Planner.of(cluster.node());
    }

    Planner planner() {
        return planner;
    }

    /** Applies the change, and returns which Services changed. */
    Set<ServiceKey> put(ServiceChange serviceChange) {
        serviceChange.shapes().forEach((n, serviceShape) -> {
            if (serviceShape.equals(cluster.usual(n))) {
                unusual.remove(n);
            } else {
                unusual.put(n, serviceShape);
            }
        });
        return serviceChange.shapes().keySet().stream().map(Cluster::key).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<ServicePlan> find(ServiceKey key) {
        return plan(Cluster.number(key));
    }

    @Override
    public void forEach(Consumer<ServicePlan> each) {
        for (int n = 0; n < cluster.services(); n++) {
            plan(n).ifPresent(each);
        }
    }

    private Optional<ServicePlan> plan(int n) {
        return cluster.view(n, unusual.getOrDefault(n, cluster.usual(n))).map(planner::plan);
    }
}
