package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The plans of Services that a test specifies as views.
 *
 * @param views read at each call, so they may change
 */
public record FixedPlans(Planner planner, Map<ServiceKey, ServiceView> views) implements ServicePlans {
    @Override
    public Optional<ServicePlan> find(ServiceKey key) {
        return Optional.ofNullable(views.get(key)).map(planner::plan);
    }

    @Override
    public void forEach(Consumer<ServicePlan> each) {
        views.values().forEach(view -> each.accept(planner.plan(view)));
    }
}
