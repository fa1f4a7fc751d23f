package io.dualstackd.nodeaddr.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.Host.Flag;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/** Converts records of the kernel to those of {@link Host}. */
final class KernelHost {
    private KernelHost() {}

    static Host.Link link(Link link) {
        return new Host.Link(link.index(), link.name(), link.isUp(), link.isLoopback(), link.isPointToPoint());
    }

    static Host.Address address(Address address) {
        return new Host.Address(
                address.link(),
                address.ip(),
                address.prefixLength(),
                address.scope().number(),
                flags(address));
    }

    private static Set<Flag> flags(Address address) {
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        if (address.is(Address.TENTATIVE | Address.OPTIMISTIC)) {
            flags.add(Flag.TENTATIVE);
        }
        if (address.is(Address.DAD_FAILED)) {
            flags.add(Flag.DAD_FAILED);
        }
        if (address.isDeprecated()) {
            flags.add(Flag.DEPRECATED);
        }
        if (address.is(Address.PERMANENT)) {
            flags.add(Flag.PERMANENT);
        }
        // One bit, two meanings.
        if (address.is(Address.TEMPORARY)) {
            flags.add(address.family() == IpFamily.IPV6 ? Flag.TEMPORARY : Flag.SECONDARY);
        }
        return flags;
    }

    /** Returns one default route for each next hop. A next hop whose link is down stays: the state of the link shows that. */
    static Stream<Host.DefaultRoute> routes(Route route) {
        long metric = Integer.toUnsignedLong(route.priority().orElse(0));
        if (!route.hops().isEmpty()) {
            return route.hops().stream()
                    .map(hop -> new Host.DefaultRoute(
                            route.family(), hop.link(), hop.gateway(), route.preferredSource(), metric));
        }
        return route.link().stream()
                .mapToObj(link ->
                        new Host.DefaultRoute(route.family(), link, route.gateway(), route.preferredSource(), metric));
    }
}
