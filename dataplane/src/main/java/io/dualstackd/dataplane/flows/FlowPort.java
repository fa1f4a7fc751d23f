package io.dualstackd.dataplane.flows;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is kept of one service port.
 *
 * @param frontends each once
 * @param endpoints those that may keep the flows they have
 */
record FlowPort(List<Frontend> frontends, EndpointSet endpoints) {
    FlowPort {
        frontends = List.copyOf(frontends);
    }

    /**
     * The UDP ports of a Service. Endpoints keep their flows while they serve, whatever policy or topology applies to new ones, and
     * while they terminate, as with TCP connections. One that is ready without serving ({@code publishNotReadyAddresses}) gets new
     * flows, so it must keep them.
     */
    static List<FlowPort> udp(Optional<ServiceView> service) {
        return of(service, Proto.UDP, endpoint -> endpoint.serving() || endpoint.ready());
    }

    /** The TCP ports of a Service. Established connections end when their endpoint is gone, not when it takes no new connections. */
    static List<FlowPort> tcp(Optional<ServiceView> service) {
        return of(service, Proto.TCP, endpoint -> true);
    }

    private static List<FlowPort> of(Optional<ServiceView> service, Proto proto, Predicate<Endpoint> keeps) {
        // Most Services have no port of UDP, and none is drained: for those it creates nothing.
        List<FlowPort> ports = List.of();
        for (PortView view : service.map(ServiceView::ports).orElse(List.of())) {
            if (view.port().name().protocol().equals(proto)) {
                ports = ports.isEmpty() ? new ArrayList<>() : ports;
                ports.add(new FlowPort(frontends(view.port()), endpoints(view, keeps)));
            }
        }
        return ports;
    }

    private static EndpointSet endpoints(PortView view, Predicate<Endpoint> keeps) {
        return EndpointSet.of(
                view.endpoints().stream().filter(keeps).map(Endpoint::address).toList());
    }

    private static List<Frontend> frontends(ServicePort port) {
        List<Ip> addresses = new ArrayList<>();
        addresses.add(port.clusterIp());
        addresses.addAll(port.loadBalancerIps());
        addresses.addAll(port.externalIps());
        List<Frontend> frontends = new ArrayList<>();
        addresses.stream()
                .distinct()
                .map(ip -> new Frontend.Address(new IpPort(ip, port.port())))
                .forEach(frontends::add);
        if (port.nodePort() != 0) {
            frontends.add(new Frontend.NodePort(port.nodePort()));
        }
        return frontends;
    }
}
