package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pods.ContainerPort;
import io.dualstackd.pods.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * Computes the EndpointSlices of one Service from the pods of this node, by the rules of the Kubernetes controller: at least one for each
 * family of the Service, also when it is headless or has no pods.
 */
final class PodSlices {
    private final Service service;
    private final PodSelector selector;
    private final String node;

    PodSlices(Service service, PodSelector selector, String node) {
        this.service = service;
        this.selector = selector;
        this.node = node;
    }

    /**
     * Computes the content of the slices.
     *
     * @param before their content until now
     * @param pods the pods that the selector matches, in a fixed order; pods without a network or a ready sandbox are left out
     */
    List<SliceDraft> next(List<SliceDraft> before, List<Pod> pods) {
        List<SliceDraft> all = new ArrayList<>();
        for (IpFamily family : families()) {
            Map<List<EndpointSlice.Port>, List<SliceDraft.Member>> byPorts =
                    new TreeMap<>(Comparator.comparing(List::toString));
            for (Pod pod : pods) {
                Optional<Ip> ip =
                        pod.ips().stream().filter(one -> one.family() == family).findFirst();
                if (pod.sandbox().ready() && ip.isPresent()) {
                    byPorts.computeIfAbsent(ports(pod), ports -> new ArrayList<>())
                            .add(new SliceDraft.Member(PodRef.of(pod), endpoint(pod, ip.get())));
                }
            }
            List<SliceDraft> ofFamily = before.stream()
                    .filter(sliceDraft -> sliceDraft.family() == family)
                    .toList();
            all.addAll(SlicePacker.next(family, ofFamily, byPorts));
        }
        return all;
    }

    /** Returns the families as the API server defaults them; a Service that requests none gets the families of its addresses. */
    private Set<IpFamily> families() {
        List<IpFamily> families = !service.ipFamilies().isEmpty()
                ? service.ipFamilies()
                : service.clusterIps().stream().map(Ip::family).toList();
        return families.isEmpty() ? EnumSet.allOf(IpFamily.class) : EnumSet.copyOf(families);
    }

    boolean isHeadless() {
        return service.clusterIp() instanceof Service.ClusterIp.None;
    }

    /** Returns the slice with this content, under the name it would have in an API server. */
    static EndpointSlice slice(ServiceKey service, boolean headless, SliceDraft sliceDraft) {
        EndpointSlice.AddressType type = switch (sliceDraft.family()) {
            case IPV4 -> EndpointSlice.AddressType.IPV4;
            case IPV6 -> EndpointSlice.AddressType.IPV6;
        };
        return new EndpointSlice(
                service.namespace(),
                SliceName.of(service, sliceDraft.family(), sliceDraft.number()),
                Optional.of(service.name()),
                headless,
                type,
                sliceDraft.ports(),
                sliceDraft.members().stream().map(SliceDraft.Member::endpoint).toList(),
                Optional.empty());
    }

    /** The runtime does not report that a pod is being deleted: no endpoint here is terminating. */
    private EndpointSlice.Endpoint endpoint(Pod pod, Ip ip) {
        boolean serving = pod.isReady();
        EndpointSlice.Conditions conditions = new EndpointSlice.Conditions(
                Optional.of(serving || selector.publishNotReady()), Optional.of(serving), Optional.of(false));
        return new EndpointSlice.Endpoint(ip, conditions, node, Set.of(), Set.of());
    }

    /** Returns the ports of a pod; a named port that no container declares is left out. */
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
