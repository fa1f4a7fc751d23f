package io.dualstackd.agent.node;

import io.dualstackd.agent.api.Node;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Optional;

/** Puts settings, Node object and addresses together. */
public final class NodeViews {
    private NodeViews() {}

    /**
     * @param node the node's own object, if a source has one
     * @param addresses what is on the node's interfaces, in the family
     */
    public static NodeView of(NodeSettings settings, Optional<Node> node, List<Ip> addresses, IpFamily family) {
        return new NodeView(
                family,
                settings.name(),
                settings.zone().or(() -> node.map(Node::zone)).orElse(""),
                nodeIp(settings, node, family),
                settings.nodePortAddresses() instanceof NodePortAddresses.Within ? addresses : List.of(),
                settings.detectLocal().detector(family, node.map(Node::podCidrs).orElse(List.of())),
                settings.nodePortAddresses(),
                settings.masqueradeAll(),
                settings.masqueradeBit(),
                settings.localhostNodePorts(),
                settings.dropInvalid());
    }

    private static Optional<Ip> nodeIp(NodeSettings settings, Optional<Node> node, IpFamily family) {
        return Optional.ofNullable(settings.ips().get(family))
                .or(() -> node.stream()
                        .flatMap(object -> object.addresses().stream())
                        .filter(address -> address.type().equals("InternalIP"))
                        .map(Node.Address::ip)
                        .filter(ip -> ip.family() == family)
                        .findFirst());
    }
}
