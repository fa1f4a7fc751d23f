package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code --node-ips}: one element, or two of different families with the primary one first. A family without an element is excluded.
 * Source: KEP-1664, "--node-ips"; {@code interface:} and networks are extensions of dualstackd.
 */
public record NodeIps(List<NodeIp> elements) {
    /** {@code ipv4,ipv6}: all families the host has, IPv4 primary when it has both. */
    public static final NodeIps DEFAULT =
            new NodeIps(List.of(new NodeIp.Any(IpFamily.IPV4), new NodeIp.Any(IpFamily.IPV6)));

    public NodeIps {
        elements = List.copyOf(elements);
        if (elements.isEmpty() || elements.size() > 2) {
            throw new IllegalArgumentException("node IPs are one element or two, not " + elements.size());
        }
        if (elements.size() == 2 && elements.get(0).family() == elements.get(1).family()) {
            throw new IllegalArgumentException("node IPs " + elements + " are both "
                    + elements.getFirst().family() + ": two elements must be of different IP families");
        }
    }

    /** For one element, or two of different families. */
    public static NodeIps of(NodeIp... elements) {
        return new NodeIps(List.of(elements));
    }

    /**
     * Reads {@code 10.0.0.1,ipv6}. An element is an address, {@code ipv4}, {@code ipv6}, a network ({@code 10.0.0.0/8}) or {@code
     * interface:NAME}. A family may follow the name ({@code interface:eth0/ipv6}); else the interface stands for both families with IPv4
     * first or, beside another element, for the remaining family. Blanks around elements are ignored.
     *
     * @throws BadNodeIpsException naming the value and the broken rule
     */
    public static NodeIps parse(String text) {
        return NodeIpText.parse(text);
    }

    /** The first element: the address that satisfies it is primary. */
    public NodeIp first() {
        return elements.getFirst();
    }

    /** The second element of a pair. */
    public Optional<NodeIp> second() {
        return elements.size() == 2 ? Optional.of(elements.getLast()) : Optional.empty();
    }

    /** The element of a family; empty when the family is excluded. */
    public Optional<NodeIp> element(IpFamily family) {
        return elements.stream().filter(element -> element.family() == family).findFirst();
    }

    /** False when no address of the family may be the node's. */
    public boolean mentions(IpFamily family) {
        return element(family).isPresent();
    }

    /** The text that {@link #parse} reads as this value. */
    @Override
    public String toString() {
        return elements.stream().map(NodeIp::toString).collect(Collectors.joining(","));
    }
}
