package io.dualstackd.dataplane.explain;

import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlan;
import java.util.Optional;

/** A Service and its plan. */
public record Planned(ServiceView view, ServicePlan plan) {
    Optional<PortPlan> plan(ServicePortName name) {
        return plan.ports().stream()
                .filter(port -> port.port().name().equals(name))
                .findFirst();
    }

    Optional<PortView> view(ServicePortName name) {
        return view.ports().stream()
                .filter(port -> port.port().name().equals(name))
                .findFirst();
    }
}
