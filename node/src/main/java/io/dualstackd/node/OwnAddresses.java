package io.dualstackd.node;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.Host.Flag;
import io.dualstackd.nodeaddr.NodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.List;
import java.util.Optional;

/**
 * This node's addresses of one family.
 *
 * @param nodeIp the node IP
 * @param all usable addresses of its interfaces, sorted; loopback included
 */
public record OwnAddresses(Optional<Ip> nodeIp, List<Ip> all) {
    /** No addresses. */
    public static final OwnAddresses NONE = new OwnAddresses(Optional.empty(), List.of());

    public OwnAddresses {
        all = List.copyOf(all);
    }

    /**
     * Combines host and choice. A given address counts even while the host does not have it, and so does the last one of a family that has
     * none now: node ports restricted to it are closed then, and not open everywhere as on a node that never had an address of the family.
     *
     * @param chosen previous choices, including the one in force
     */
    public static OwnAddresses of(NodeIps wanted, PreviousChoice chosen, Host host, IpFamily family) {
        Optional<Ip> given = wanted.element(family)
                .flatMap(element -> element instanceof NodeIp.Exact(Ip ip) ? Optional.of(ip) : Optional.empty());
        Optional<Ip> nodeIp = chosen.choice().ip(family).or(() -> given).or(() -> chosen.ip(family));
        return new OwnAddresses(nodeIp, all(host, family));
    }

    /**
     * The node IPs, primary first. While there is no choice, because one of two given addresses is missing, it is those that the host has of
     * the given and the last ones: the other family goes on.
     *
     * @param chosen previous choices, including the one in force
     */
    public static List<Ip> nodeIps(NodeIps wanted, PreviousChoice chosen, Host host) {
        List<Ip> ips = chosen.choice().nodeIps();
        return !ips.isEmpty()
                ? ips
                : wanted.elements().stream()
                        .flatMap(element -> of(wanted, chosen, host, element.family()).nodeIp().stream())
                        .filter(ip -> has(host, ip))
                        .toList();
    }

    /** Returns these addresses with that of the family among the given ones, if there is one, as the node IP. */
    public OwnAddresses knownBy(List<Ip> addresses, IpFamily family) {
        return new OwnAddresses(
                addresses.stream()
                        .filter(ip -> ip.family() == family)
                        .findFirst()
                        .or(() -> nodeIp),
                all);
    }

    /**
     * Whether packets to this address are for the host: an interface has it, and it is neither tentative nor in use by another host. The
     * kernel takes all IPv4 addresses of a network that is on a loopback interface for the host's own.
     */
    public static boolean has(Host host, Ip ip) {
        return all(host, ip.family()).contains(ip)
                || host.addresses().stream()
                        .filter(address -> ip.family() == IpFamily.IPV4
                                && address.ip().family() == IpFamily.IPV4
                                && host.link(address.link())
                                        .filter(Host.Link::loopback)
                                        .isPresent())
                        .anyMatch(address -> new IpPrefix(address.ip(), address.prefixLength()).contains(ip));
    }

    /** Returns the usable addresses, sorted: neither tentative nor in use by another host. */
    public static List<Ip> all(Host host, IpFamily family) {
        return host.addresses().stream()
                .filter(address -> !address.flags().contains(Flag.DAD_FAILED)
                        && !address.flags().contains(Flag.TENTATIVE))
                .map(Host.Address::ip)
                .filter(ip -> ip.family() == family)
                .distinct()
                .sorted()
                .toList();
    }
}
