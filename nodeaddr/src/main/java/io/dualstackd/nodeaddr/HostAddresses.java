package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.Host.Address;
import io.dualstackd.nodeaddr.Host.Flag;
import io.dualstackd.nodeaddr.Host.Link;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The addresses of a host as candidates: which may be chosen, and in which order. */
final class HostAddresses {
    /** {@code RT_SCOPE_SITE}: the narrowest scope whose addresses other hosts can still reach. */
    private static final int FARTHEST_LOCAL_SCOPE = 200;

    private final Host host;

    HostAddresses(Host host) {
        this.host = host;
    }

    /**
     * Returns the addresses of one family on one interface, the best first: those with a network before single ones, which tend to move
     * between hosts (keepalived); configured IPv6 addresses before those from routers and DHCP; then the oldest, so that an address that is
     * added replaces none.
     */
    List<Address> on(Link link, IpFamily family) {
        List<Address> addresses = new ArrayList<>();
        for (Address address : host.addresses()) {
            if (address.link() == link.index() && address.ip().family() == family) {
                addresses.add(address);
            }
        }
        List<Address> oldestFirst = switch (family) {
            case IPV4 -> addresses;
            // The kernel puts a new IPv6 address before the others of its scope (ipv6_link_dev_addr).
            case IPV6 -> addresses.reversed();
        };
        return oldestFirst.stream()
                .sorted(Comparator.comparing((Address a) -> a.flags().contains(Flag.SECONDARY))
                        .thenComparing(a -> a.prefixLength() == family.bits())
                        .thenComparing(
                                a -> family == IpFamily.IPV6 && !a.flags().contains(Flag.PERMANENT)))
                .toList();
    }

    /** Returns the entry of an address; empty when it is not on this host. */
    Optional<Address> find(Ip ip) {
        // The same address may be on several interfaces, of which one may be preferable.
        return host.addresses().stream()
                .filter(address -> address.ip().equals(ip))
                .min(Comparator.comparing(address -> objection(address).isPresent()));
    }

    /** Returns why detection must not choose this address; empty when it may. */
    Optional<String> objection(Address address) {
        Optional<String> hopeless = hopeless(address.ip());
        if (hopeless.isPresent()) {
            return hopeless;
        }
        for (Flag flag : List.of(Flag.DAD_FAILED, Flag.TENTATIVE, Flag.DEPRECATED, Flag.TEMPORARY)) {
            if (address.flags().contains(flag)) {
                return Optional.of("it is " + flag);
            }
        }
        if (address.scope() > FARTHEST_LOCAL_SCOPE) {
            return Optional.of("it is not for use beyond this " + (address.scope() == 253 ? "link" : "host")
                    + " (scope " + address.scope() + ")");
        }
        return link(address).filter(Link::up).isPresent() ? Optional.empty() : Optional.of("its interface is down");
    }

    /** Returns why no node can have this address, on whatever interface it is. */
    static Optional<String> hopeless(Ip ip) {
        return AddressRules.brokenBy(ip).map(HostAddresses::plainly);
    }

    private static String plainly(String rule) {
        return rule.replaceFirst("nodeIP can't be an? ?", "it is a ").replaceFirst("nodeIP can't be ", "it is a ");
    }

    /** Returns why this address cannot be the node's even when it is given explicitly; the rules and texts are kubelet's. */
    Optional<String> brokenBy(Ip ip) {
        Optional<String> broken = AddressRules.brokenBy(ip);
        if (broken.isPresent()) {
            return broken;
        }
        Optional<Address> address = find(ip);
        if (address.isEmpty()) {
            return Optional.of("node IP: \"" + ip + "\" not found in the host's network interfaces");
        }
        for (Flag unusable : List.of(Flag.DAD_FAILED, Flag.TENTATIVE)) {
            if (address.get().flags().contains(unusable)) {
                return Optional.of("node IP: \"" + ip + "\" is " + unusable + " on " + linkName(address.get()));
            }
        }
        return Optional.empty();
    }

    Optional<Link> link(Address address) {
        return host.link(address.link());
    }

    String linkName(Address address) {
        return link(address).map(Link::name).orElse("interface " + address.link());
    }

    /** {@code 10.0.0.1 on eth0}. */
    String placed(Address address) {
        return address.ip() + " on " + linkName(address);
    }
}
