package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * One port of a Service in one IP family: the destinations it answers on, and its policies.
 *
 * @param clusterIp the Service's address of this family
 * @param port 1 to 65535
 * @param nodePort 1 to 65535, or 0 for none
 * @param externalIps addresses of this family, in the order of the Service
 * @param loadBalancerIps addresses of this family that the load balancer does not translate itself ({@code ipMode: VIP})
 * @param sourceRanges sources that may reach the load-balancer addresses; empty allows all
 * @param externalPolicy {@link TrafficPolicy#LOCAL} only when the Service can have external destinations
 * @param healthCheckNodePort 1 to 65535, or 0 for none
 */
public record ServicePort(
        ServicePortName name,
        Ip clusterIp,
        int port,
        int nodePort,
        List<Ip> externalIps,
        List<Ip> loadBalancerIps,
        List<IpPrefix> sourceRanges,
        Affinity affinity,
        TrafficPolicy internalPolicy,
        TrafficPolicy externalPolicy,
        int healthCheckNodePort) {

    public ServicePort {
        externalIps = List.copyOf(externalIps);
        loadBalancerIps = List.copyOf(loadBalancerIps);
        sourceRanges = List.copyOf(sourceRanges);
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException(name + ": port " + port + " is not in 1..65535");
        }
        if (nodePort < 0 || nodePort > 65535) {
            throw new IllegalArgumentException(name + ": node port " + nodePort + " is not in 0..65535");
        }
    }

    /** A port that answers on its ClusterIP only, without session affinity and for all sources. */
    public static ServicePort onClusterIp(ServicePortName name, Ip clusterIp, int port) {
        List<Ip> none = List.of();
        TrafficPolicy all = TrafficPolicy.CLUSTER;
        return new ServicePort(name, clusterIp, port, 0, none, none, List.of(), Affinity.NONE, all, all, 0);
    }

    public IpFamily family() {
        return clusterIp.family();
    }

    public boolean internalPolicyLocal() {
        return internalPolicy == TrafficPolicy.LOCAL;
    }

    public boolean externalPolicyLocal() {
        return externalPolicy == TrafficPolicy.LOCAL;
    }

    /** Whether it has any destination besides the ClusterIP, in this family. */
    public boolean externallyAccessible() {
        return nodePort != 0 || !loadBalancerIps.isEmpty() || !externalIps.isEmpty();
    }

    public boolean usesClusterEndpoints() {
        return !internalPolicyLocal() || externallyAccessible();
    }

    public boolean usesLocalEndpoints() {
        return internalPolicyLocal() || (externalPolicyLocal() && externallyAccessible());
    }
}
