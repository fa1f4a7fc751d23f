package io.dualstackd.agent.pod.endpoint;

import io.dualstackd.agent.api.EndpointSlice;
import io.dualstackd.agent.api.PodSelector;
import io.dualstackd.agent.api.Service;
import io.dualstackd.agent.pod.ContainerPort;
import io.dualstackd.agent.pod.Pod;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** The EndpointSlices of one Service that consist of pods of this node. */
final class PodSlices {
    /** No object of a source can have it in its name. */
    private static final String MARK = "/";

    private final Service service;
    private final PodSelector selector;
    private final String node;

    PodSlices(Service service, PodSelector selector, String node) {
        this.service = service;
        this.selector = selector;
        this.node = node;
    }

    /** Whether a slice was made here and not by a source. */
    static boolean isOurs(EndpointSlice slice) {
        return slice.name().contains(MARK);
    }

    /**
     * One slice for each family and each set of port numbers: a port's name may mean different numbers in different pods.
     *
     * @param pods those the selector means, in a fixed order; who has no network or no ready sandbox is left out
     */
    List<EndpointSlice> of(List<Pod> pods) {
        List<EndpointSlice> slices = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            Map<List<EndpointSlice.Port>, List<EndpointSlice.Endpoint>> byPorts =
                    new TreeMap<>(Comparator.comparing(List::toString));
            for (Pod pod : pods) {
                Optional<Ip> ip =
                        pod.ips().stream().filter(one -> one.family() == family).findFirst();
                if (pod.sandbox().ready() && ip.isPresent()) {
                    byPorts.computeIfAbsent(ports(pod), ports -> new ArrayList<>())
                            .add(endpoint(pod, ip.get()));
                }
            }
            byPorts.forEach((ports, members) -> slices.add(slice(family, slices.size(), ports, members)));
        }
        return slices;
    }

    private EndpointSlice slice(
            IpFamily family, int number, List<EndpointSlice.Port> ports, List<EndpointSlice.Endpoint> endpoints) {
        EndpointSlice.AddressType type = switch (family) {
            case IPV4 -> EndpointSlice.AddressType.IPV4;
            case IPV6 -> EndpointSlice.AddressType.IPV6;
        };
        return new EndpointSlice(
                service.namespace(),
                service.name() + MARK + "pods-" + number,
                Optional.of(service.name()),
                false,
                type,
                ports,
                endpoints,
                Optional.empty());
    }

    private EndpointSlice.Endpoint endpoint(Pod pod, Ip ip) {
        boolean ready = pod.isReady() || selector.publishNotReady();
        EndpointSlice.Conditions conditions =
                new EndpointSlice.Conditions(Optional.of(ready), Optional.of(ready), Optional.of(false));
        return new EndpointSlice.Endpoint(ip, conditions, node, Set.of(), Set.of());
    }

    /** A port whose name no container of the pod declares is not there. */
    private List<EndpointSlice.Port> ports(Pod pod) {
        List<EndpointSlice.Port> ports = new ArrayList<>();
        for (int i = 0; i < service.ports().size(); i++) {
            Service.Port port = service.ports().get(i);
            OptionalInt number = number(pod, selector.targets().get(i), port.protocol());
            if (number.isPresent()) {
                ports.add(new EndpointSlice.Port(Optional.of(port.name()), port.protocol(), number));
            }
        }
        return List.copyOf(ports);
    }

    private static OptionalInt number(Pod pod, PodSelector.Target target, Proto protocol) {
        return switch (target) {
            case PodSelector.Target.Numbered(int port) -> OptionalInt.of(port);
            case PodSelector.Target.Named(String name) ->
                pod.containers().stream()
                        .flatMap(container -> container.ports().stream())
                        .filter(port ->
                                port.name().equals(name) && port.protocol().equals(protocol))
                        .mapToInt(ContainerPort::port)
                        .findFirst();
        };
    }
}
