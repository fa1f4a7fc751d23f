package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.Optional;

/** Decides what all Services of one family share: which traffic is masqueraded, on which addresses node ports answer. */
public final class NodePlanner {
    private static final Ip.V4 LOCALHOST = new Ip.V4(0x7f000001);

    private NodePlanner() {}

    public static NodePlan plan(NodeView node) {
        NodePortMatch nodePorts = nodePorts(node);
        return new NodePlan(
                node.family(),
                node.detector(),
                clusterIpMasquerade(node),
                nodePorts,
                node.masqueradeMark(),
                opensLoopback(node),
                node.dropInvalid(),
                node.nfacct() && node.dropInvalid(),
                node.nfacct() && opensLoopback(node),
                node.serviceCidrs());
    }

    private static ClusterIpMasquerade clusterIpMasquerade(NodeView node) {
        if (node.masqueradeAll()) {
            return new ClusterIpMasquerade.Always();
        }
        return switch (node.detector()) {
            case LocalDetector.None() -> new ClusterIpMasquerade.Never();
            case LocalDetector.SourceIn pods -> new ClusterIpMasquerade.UnlessFrom(pods);
            case LocalDetector.FromBridge pods -> new ClusterIpMasquerade.UnlessFrom(pods);
            case LocalDetector.FromInterfacePrefix pods -> new ClusterIpMasquerade.UnlessFrom(pods);
        };
    }

    private static NodePortMatch nodePorts(NodeView node) {
        Optional<List<IpPrefix>> networks = networks(node);
        if (networks.isEmpty()) {
            return new NodePortMatch.AllLocal(localhostNodePorts(node));
        }
        return new NodePortMatch.Only(node.addresses().stream()
                .filter(ip -> networks.get().stream().anyMatch(network -> network.contains(ip)))
                .filter(ip -> !ip.isLoopback() || localhostNodePorts(node))
                .distinct()
                .sorted()
                .toList());
    }

    /**
     * The networks of this family node ports are restricted to, or empty when they answer on every local address.
     *
     * <p>A restriction without an address of this family does not restrict it: a list of IPv4 networks, or "primary" on a node
     * without an IPv6 address, opens IPv6 node ports on every address. kube-proxy does the same and clusters rely on it.
     */
    private static Optional<List<IpPrefix>> networks(NodeView node) {
        List<IpPrefix> ours = switch (node.nodePortAddresses()) {
            case NodePortAddresses.All() -> List.of();
            case NodePortAddresses.Primary() ->
                node.nodeIp().filter(ip -> !ip.isLoopback()).map(IpPrefix::host).stream()
                        .toList();
            case NodePortAddresses.Within(List<IpPrefix> networks) ->
                networks.stream()
                        .filter(network -> network.family() == node.family())
                        .toList();
        };
        boolean everything = ours.isEmpty() || ours.stream().anyMatch(network -> network.length() == 0);
        return everything ? Optional.empty() : Optional.of(ours);
    }

    /** IPv6 has no counterpart of {@code route_localnet}: packets from {@code ::1} never leave the loopback interface. */
    private static boolean localhostNodePorts(NodeView node) {
        return node.family() == IpFamily.IPV4 && node.localhostNodePorts();
    }

    private static boolean opensLoopback(NodeView node) {
        return localhostNodePorts(node)
                && networks(node)
                        .map(networks -> networks.stream()
                                .anyMatch(network -> network.address().isLoopback() || network.contains(LOCALHOST)))
                        .orElse(true);
    }
}
