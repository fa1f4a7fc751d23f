package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Orders and filters the addresses that a cloud provider's API returns for a node. {@link #order} is KEP-1664; {@link #filter} is what
 * providers do today for a kubelet that only knows {@code --node-ip}.
 */
public final class CloudAddresses {
    private CloudAddresses() {}

    /**
     * Orders and filters the addresses so that the node IPs match {@code wanted}.
     *
     * @param provided in the provider's order
     * @throws NodeAddressException when no order satisfies {@code wanted}, or when {@code wanted} names an interface: interfaces are known
     *     only on the node
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

    /** As {@link #order(List, NodeIps)} on the node itself, where the interfaces are known. */
    public static NodeAddresses order(List<NodeAddress> provided, NodeIps wanted, Host host)
            throws NodeAddressException {
        return new CloudOrder(provided, wanted, host).result();
    }

    /**
     * As {@link #order(List, NodeIps)} for a provider built into kubelet whose administrator still uses {@code --node-ip}: first a given
     * address removes others of its type, or an unspecified one moves its family to the front.
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

    /**
     * Moves IP addresses of the other family behind those of the family, with a stable sort; entries that are not IP addresses count as the
     * other family.
     */
    private static List<NodeAddress> familyFirst(List<NodeAddress> provided, Ip unspecified) {
        Comparator<NodeAddress> others = Comparator.comparing(
                address -> address.ip().map(Ip::family).stream().noneMatch(unspecified.family()::equals));
        return provided.stream().sorted(others).toList();
    }

    /**
     * Moves the addresses given by {@link LegacyNodeIp#ANNOTATION} to the front, in its order; others of the types they were found under
     * are removed, whatever their family. Texts stay as the provider wrote them.
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

    /** Returns the provider's addresses with the Node's hostname added, if the provider gives none. Must be called before filtering. */
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
