package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * The planned handling of the traffic of one service port.
 *
 * @param cluster backends under the Cluster policy; empty when no policy of this port uses them
 * @param local backends under the Local policy; empty when no policy of this port uses them
 * @param reachable the union, in order: every backend some traffic may reach through this node
 * @param hasEndpoints some endpoint serves somewhere in the cluster
 * @param internal new connections to the ClusterIP
 * @param external new connections to external IPs, load-balancer IPs and the node port that no short-circuit takes: with
 *     {@link Handling#DROP} pods and the node itself are still served
 * @param allowedSources sources that may reach the load-balancer IPs; empty allows all. Already includes the load-balancer IPs
 *     themselves when the node is among the allowed
 */
public record PortPlan(
        ServicePort port,
        List<Backend> cluster,
        List<Backend> local,
        List<Backend> reachable,
        boolean hasEndpoints,
        Handling internal,
        Handling external,
        List<IpPrefix> allowedSources) {
    public PortPlan {
        cluster = List.copyOf(cluster);
        local = List.copyOf(local);
        reachable = List.copyOf(reachable);
        allowedSources = List.copyOf(allowedSources);
    }

    /** The backends that traffic to the ClusterIP is balanced over. */
    public List<Backend> internalBackends() {
        return port.internalPolicyLocal() ? local : cluster;
    }

    /** Whether external destinations exist and some endpoint in the cluster serves. */
    public boolean hasExternalPath() {
        return hasEndpoints && port.externallyAccessible();
    }
}
