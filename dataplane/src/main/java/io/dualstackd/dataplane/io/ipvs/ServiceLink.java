package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.LinkKind;
import io.dualstackd.netlink.sys.Errno;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The link that holds the addresses of Services in IPVS mode: IPVS handles packets for local addresses, so they have to be the node's.
 * Both families share it.
 */
final class ServiceLink {
    /** The name kube-proxy gives it. */
    static final String NAME = "kube-ipvs0";

    private static final String DUMMY = "dummy";

    private ServiceLink() {}

    /** The addresses on it; none when there is no such link. */
    static Set<Ip> addresses(RouteClient kernel, IpFamily family) throws NetlinkException {
        Optional<Link> link = kernel.link(NAME);
        if (link.isEmpty()) {
            return Set.of();
        }
        Set<Ip> found = new HashSet<>();
        for (Address address : kernel.addresses(family)) {
            // A link-local address of the kernel, which every link has that is up.
            boolean automatic = family == IpFamily.IPV6 && address.ip().isLinkLocal();
            if (address.link() == link.get().index() && address.family() == family && !automatic) {
                found.add(address.ip());
            }
        }
        return found;
    }

    /** Returns its interface index; creates it when it is missing. */
    static int ensure(RouteClient kernel) throws NetlinkException {
        Optional<Link> link = kernel.link(NAME);
        if (link.isEmpty()) {
            try {
                kernel.add(Link.of(NAME, new LinkKind.Other(DUMMY, Optional.empty(), List.of())));
            } catch (NetlinkException.Refused e) {
                // The other family's reconciler has just created it.
                if (!e.errno().equals(Errno.EEXIST)) {
                    throw e;
                }
            }
        }
        return kernel.indexOf(NAME);
    }

    static void hold(RouteClient kernel, int link, Ip ip) throws NetlinkException {
        try {
            kernel.add(Address.of(link, ip, ip.family().bits()));
        } catch (NetlinkException.Refused e) {
            if (!e.errno().equals(Errno.EEXIST)) {
                throw e;
            }
        }
    }

    static void release(RouteClient kernel, int link, Ip ip) throws NetlinkException {
        try {
            kernel.delete(Address.of(link, ip, ip.family().bits()));
        } catch (NetlinkException.Refused e) {
            if (!e.errno().equals(Errno.EADDRNOTAVAIL)) {
                throw e;
            }
        }
    }
}
