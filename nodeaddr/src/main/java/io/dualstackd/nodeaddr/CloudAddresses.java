package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a cloud provider does with the addresses its API gives for a node. {@link #order} is KEP-1664; {@link #filter} is what
 * providers do today for a kubelet that only knows {@code --node-ip}.
 */
public final class CloudAddresses {
    private CloudAddresses() {}

    /**
     * Orders and filters so that node IPs come out as wanted.
     *
     * @param provided in the provider's order
     * @throws NodeAddressException when no order can give what is wanted, or when {@code wanted} names an interface: only the node
     *     knows those
     */
    public static NodeAddresses order(List<NodeAddress> provided, NodeIps wanted) throws NodeAddressException {
        for (NodeIp element : wanted.elements()) {
            if (element instanceof NodeIp.OnInterface(String name, var ignored)) {
                throw new NodeAddressException("node IPs \"" + wanted + "\": what is on interface " + name
                        + " is known on the node only; there, order with its Host");
            }
        }
        return order(provided, wanted, Host.EMPTY);
    }

    /** As {@link #order(List, NodeIps)} on the node itself, which knows its interfaces. */
    public static NodeAddresses order(List<NodeAddress> provided, NodeIps wanted, Host host)
            throws NodeAddressException {
        return new CloudOrder(provided, wanted, host).result();
    }

    /**
     * As {@link #order(List, NodeIps)} for a provider built into kubelet whose administrator still uses {@code --node-ip}: first an
     * address given drops others of its type, or an unspecified one puts its family first.
     */
    public static NodeAddresses order(List<NodeAddress> provided, LegacyNodeIp legacy) throws NodeAddressException {
        List<NodeAddress> first = provided;
        if (legacy.ips().size() == 1 && legacy.ips().getFirst().isUnspecified()) {
            first = familyFirst(provided, legacy.ips().getFirst());
        } else if (!legacy.ips().isEmpty()) {
            first = filter(provided, legacy);
        }
        return order(first, legacy.nodeIps().orElse(NodeIps.DEFAULT));
    }

    /** The sort is stable and moves IP addresses only behind those of the family; everything else counts as the other family. */
    private static List<NodeAddress> familyFirst(List<NodeAddress> provided, Ip unspecified) {
        Comparator<NodeAddress> others = Comparator.comparing(
                address -> address.ip().map(Ip::family).stream().noneMatch(unspecified.family()::equals));
        return provided.stream().sorted(others).toList();
    }

    /**
     * Addresses given by {@link LegacyNodeIp#ANNOTATION} come first, in its order; others of the types they were found under are
     * dropped, whatever their family. Texts stay as the provider wrote them.
     *
     * @throws NodeAddressException when one of them is not among those provided
     */
    public static List<NodeAddress> filter(List<NodeAddress> provided, LegacyNodeIp annotated)
            throws NodeAddressException {
        List<NodeAddress> filtered = new ArrayList<>();
        Set<NodeAddress.Type> matched = EnumSet.noneOf(NodeAddress.Type.class);
        for (Ip wanted : annotated.ips()) {
            List<NodeAddress> equal = provided.stream()
                    .filter(address -> LenientIp.read(address.text()).stream().anyMatch(wanted::equals))
                    .toList();
            if (equal.isEmpty()) {
                throw new NodeAddressException(
                        "failed to get node address from cloud provider that matches ip: " + wanted);
            }
            filtered.addAll(equal);
            equal.forEach(address -> matched.add(address.type()));
        }
        provided.stream().filter(address -> !matched.contains(address.type())).forEach(filtered::add);
        return filtered;
    }

    /** The provider's addresses with the Node's hostname, where the provider gives none. To be done before filtering. */
    public static List<NodeAddress> withHostname(List<NodeAddress> provided, List<NodeAddress> onNode) {
        if (provided.stream().anyMatch(address -> address.type() == NodeAddress.Type.HOSTNAME)) {
            return provided;
        }
        List<NodeAddress> completed = new ArrayList<>(provided);
        onNode.stream()
                .filter(address -> address.type() == NodeAddress.Type.HOSTNAME)
                .findFirst()
                .ifPresent(completed::add);
        return List.copyOf(completed);
    }
}
