package io.dualstackd.node;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.Optional;

/** Combines settings, Node object and addresses. */
public final class NodeViews {
    private NodeViews() {}

    /**
     * @param node the node's own object, if a source has it
     * @param own addresses of the family
     * @param serviceCidrs of all ServiceCIDR objects, both families
     */
    public static NodeView of(
            NodeSettings settings,
            Optional<Node> node,
            OwnAddresses own,
            List<IpPrefix> serviceCidrs,
            IpFamily family) {
        return new NodeView(
                family,
                settings.name(),
                settings.zone().or(() -> node.map(Node::zone)).orElse(""),
                own.nodeIp(),
                relevant(settings, own, family),
                settings.detectLocal().detector(family, node.map(Node::podCidrs).orElse(List.of())),
                settings.nodePortAddresses(),
                settings.masqueradeAll(),
                settings.masqueradeBit(),
                settings.localhostNodePorts(),
                settings.dropInvalid(),
                united(serviceCidrs, family));
    }

    /**
     * Returns the addresses that rules depend on. With all others, each pod that comes or goes would change the node and cause a new plan
     * for all Services.
     */
    private static List<Ip> relevant(NodeSettings settings, OwnAddresses own, IpFamily family) {
        List<IpPrefix> networks = switch (settings.nodePortAddresses()) {
            case NodePortAddresses.All() -> List.of();
            case NodePortAddresses.Primary() ->
                own.nodeIp().map(IpPrefix::host).stream().toList();
            case NodePortAddresses.Within(List<IpPrefix> given) ->
                given.stream().filter(network -> network.family() == family).toList();
        };
        boolean everywhere = networks.stream().anyMatch(network -> network.length() == 0);
        return everywhere
                ? List.of()
                : own.all().stream()
                        .filter(ip -> networks.stream().anyMatch(network -> network.contains(ip)))
                        .toList();
    }

    /** Returns the networks sorted, without those contained in another one: an interval set of the kernel does not accept overlaps. */
    private static List<IpPrefix> united(List<IpPrefix> networks, IpFamily family) {
        return networks.stream()
                .filter(network -> network.family() == family)
                .filter(network ->
                        networks.stream().noneMatch(other -> other.contains(network) && !other.equals(network)))
                .distinct()
                .sorted()
                .toList();
    }
}
