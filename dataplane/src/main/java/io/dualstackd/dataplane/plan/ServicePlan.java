package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.ServiceKey;
import java.util.List;

/** The plan of one Service in one family. */
public record ServicePlan(ServiceKey key, List<PortPlan> ports, HealthCheck health) {
    public ServicePlan {
        ports = List.copyOf(ports);
    }

    /**
     * The number of ports whose ClusterIP drops traffic here because the policy is Local and no endpoint is.
     * {@code kubeproxy_sync_proxy_rules_no_local_endpoints_total} counts these and {@link #externalWithoutLocal}.
     */
    public int internalWithoutLocal() {
        return (int)
                ports.stream().filter(port -> port.internal() == Handling.DROP).count();
    }

    /** The number of ports whose external destinations drop traffic here because the policy is Local and no endpoint is. */
    public int externalWithoutLocal() {
        return (int)
                ports.stream().filter(port -> port.external() == Handling.DROP).count();
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
