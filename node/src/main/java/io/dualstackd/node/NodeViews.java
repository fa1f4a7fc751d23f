package io.dualstackd.node;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.kubeapi.objects.Node;
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
                own.all(),
                settings.detectLocal().detector(family, node.map(Node::podCidrs).orElse(List.of())),
                settings.nodePortAddresses(),
                settings.masqueradeAll(),
                settings.masqueradeBit(),
                settings.localhostNodePorts(),
                settings.dropInvalid(),
                settings.nfacct(),
                united(serviceCidrs, family));
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
