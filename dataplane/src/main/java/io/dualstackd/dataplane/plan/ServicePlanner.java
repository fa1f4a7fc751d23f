package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides how the traffic of a Service is handled on one node, in one family.
 *
 * <p>Immutable; make a new one when the node's name, zone or own IP changes, and plan every Service anew.
 */
public final class ServicePlanner {
    private final BackendChooser chooser;
    private final Optional<Ip> nodeIp;

    public ServicePlanner(NodeView node) {
        this(node.name(), node.zone(), node.nodeIp());
    }

    /** @param zone empty when not known */
    public ServicePlanner(String node, String zone, Optional<Ip> nodeIp) {
        this.chooser = new BackendChooser(new TopologyHints(node, zone));
        this.nodeIp = nodeIp;
    }

    public ServicePlan plan(ServiceView service) {
        List<PortPlan> ports = new ArrayList<>(service.ports().size());
        for (PortView port : service.ports()) {
            ports.add(plan(port));
        }
        return new ServicePlan(service, ports, health(service));
    }

    private PortPlan plan(PortView view) {
        ServicePort port = view.port();
        BackendChooser.Choice chosen = chooser.choose(view);
        boolean noLocal = chosen.local().isEmpty();
        return new PortPlan(
                port,
                chosen.cluster(),
                chosen.local(),
                chosen.reachable(),
                chosen.hasEndpoints(),
                handling(chosen.hasEndpoints(), port.internalPolicyLocal() && noLocal),
                handling(chosen.hasEndpoints(), port.externallyAccessible() && port.externalPolicyLocal() && noLocal),
                allowedSources(port));
    }

    private static Handling handling(boolean hasEndpoints, boolean noneUsableHere) {
        return !hasEndpoints ? Handling.REJECT : noneUsableHere ? Handling.DROP : Handling.SERVE;
    }

    /**
     * Adds the load-balancer addresses to the allowed sources when the node is allowed: a process of the node that connects to a
     * load-balancer address held by the node itself gets that very address as its source.
     */
    private List<IpPrefix> allowedSources(ServicePort port) {
        List<IpPrefix> ranges = port.sourceRanges();
        if (port.loadBalancerIps().isEmpty() || ranges.stream().anyMatch(range -> range.length() == 0)) {
            return List.of();
        }
        Set<IpPrefix> allowed = new LinkedHashSet<>(ranges);
        if (nodeIp.isPresent() && ranges.stream().anyMatch(range -> range.contains(nodeIp.get()))) {
            port.loadBalancerIps().forEach(ip -> allowed.add(IpPrefix.host(ip)));
        }
        return List.copyOf(allowed);
    }

    /** The health check of the whole Service, not of a port: an endpoint IP is counted once however many ports it serves. */
    private static HealthCheck health(ServiceView service) {
        int nodePort = 0;
        for (PortView view : service.ports()) {
            nodePort = nodePort == 0 ? view.port().healthCheckNodePort() : nodePort;
        }
        if (nodePort == 0) {
            return HealthCheck.NONE;
        }
        long localReady = service.ports().stream()
                .flatMap(view -> view.endpoints().stream())
                .filter(endpoint -> endpoint.ready() && endpoint.local())
                .map(Endpoint::address)
                .map(address -> address.ip())
                .distinct()
                .count();
        return new HealthCheck(nodePort, Math.toIntExact(localReady));
    }
}
