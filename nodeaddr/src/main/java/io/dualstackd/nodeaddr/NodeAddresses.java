package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The addresses of a Node, in order, with the reason for each.
 *
 * @param chosen the entries of {@code Node.status.addresses}
 * @param passedOver candidates that were not chosen, in the order they were considered
 * @param warnings whole sentences about settings that are accepted but probably not intended
 */
public record NodeAddresses(List<Chosen> chosen, List<PassedOver> passedOver, List<String> warnings) {
    /**
     * An entry with its reason.
     *
     * @param reason half a sentence that follows "because"
     */
    public record Chosen(NodeAddress address, String reason) {}

    /**
     * A candidate that is not in the list.
     *
     * @param candidate an address with the place it was found at, a name or an interface, for messages
     * @param reason half a sentence that follows "because"
     */
    public record PassedOver(String candidate, String reason) {}

    public NodeAddresses {
        chosen = List.copyOf(chosen);
        passedOver = List.copyOf(passedOver);
        warnings = List.copyOf(warnings);
    }

    /** Returns the addresses without reasons. */
    public static NodeAddresses of(List<NodeAddress> addresses) {
        return new NodeAddresses(
                addresses.stream().map(address -> new Chosen(address, "")).toList(), List.of(), List.of());
    }

    public List<NodeAddress> addresses() {
        return chosen.stream().map(Chosen::address).toList();
    }

    /**
     * The node IPs that other components use, primary first: the first {@code InternalIP}, else the first {@code ExternalIP}; then the
     * first one of the other family by the same rule. None, one or two, never two of one family.
     */
    public List<Ip> nodeIps() {
        return nodeIps(addresses());
    }

    static List<Ip> nodeIps(List<NodeAddress> addresses) {
        List<Ip> candidates = Stream.concat(
                        ips(addresses, NodeAddress.Type.INTERNAL_IP), ips(addresses, NodeAddress.Type.EXTERNAL_IP))
                .toList();
        List<Ip> ips = new ArrayList<>();
        if (!candidates.isEmpty()) {
            Ip primary = candidates.getFirst();
            ips.add(primary);
            candidates.stream()
                    .filter(ip -> ip.family() != primary.family())
                    .findFirst()
                    .ifPresent(ips::add);
        }
        return ips;
    }

    private static Stream<Ip> ips(List<NodeAddress> addresses, NodeAddress.Type type) {
        return addresses.stream().filter(address -> address.type() == type).flatMap(address -> address.ip().stream());
    }

    /** The primary node IP. */
    public Optional<Ip> primary() {
        return nodeIps().stream().findFirst();
    }

    /** The node IP of the family that is not the primary one. */
    public Optional<Ip> secondary() {
        return nodeIps().stream().skip(1).findFirst();
    }

    /** The node IP of a family. */
    public Optional<Ip> ip(IpFamily family) {
        return nodeIps().stream().filter(ip -> ip.family() == family).findFirst();
    }
}
