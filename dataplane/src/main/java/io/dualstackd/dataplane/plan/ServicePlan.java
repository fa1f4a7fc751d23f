package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import java.util.List;
import java.util.Optional;

/**
 * The plan of one Service in one family.
 *
 * @param service what was planned
 * @param ports in the order of the Service's ports
 */
public record ServicePlan(ServiceView service, List<PortPlan> ports, HealthCheck health) {
    public ServicePlan {
        ports = List.copyOf(ports);
    }

    public ServiceKey key() {
        return service.key();
    }

    /** The plan of the port with this name. */
    public Optional<PortPlan> port(ServicePortName name) {
        return ports.stream().filter(port -> port.port().name().equals(name)).findFirst();
    }

    /** The ports that drop traffic here because a policy is Local and no endpoint is. */
    public WithoutLocal withoutLocal() {
        int internal = 0;
        int external = 0;
        for (PortPlan port : ports) {
            internal += port.internal() == Handling.DROP ? 1 : 0;
            external += port.external() == Handling.DROP ? 1 : 0;
        }
        return internal + external == 0 ? WithoutLocal.NONE : new WithoutLocal(internal, external);
    }

    /** Whether a port of the Service has a node port. */
    public boolean hasNodePort() {
        for (PortPlan port : ports) {
            if (port.port().nodePort() != 0) {
                return true;
            }
        }
        return false;
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
