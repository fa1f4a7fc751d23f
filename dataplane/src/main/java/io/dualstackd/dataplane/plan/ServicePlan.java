package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.ServiceKey;
import java.util.List;

/** The plan of one Service in one family. */
public record ServicePlan(ServiceKey key, List<PortPlan> ports, HealthCheck health) {
    public ServicePlan {
        ports = List.copyOf(ports);
    }

    /**
     * What the health-check node port of the Service answers.
     *
     * @param nodePort 1 to 65535, or 0 when the Service has none
     * @param localReadyEndpoints distinct IPs of ready endpoints on this node
     */
    public record HealthCheck(int nodePort, int localReadyEndpoints) {
        public static final HealthCheck NONE = new HealthCheck(0, 0);
    }
}
