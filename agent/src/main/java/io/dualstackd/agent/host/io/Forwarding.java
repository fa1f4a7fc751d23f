package io.dualstackd.agent.host.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteOrigin;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** IP forwarding of the kernel: without it Services answer on this host only. */
final class Forwarding {
    private Forwarding() {}

    static String key(IpFamily family) {
        return switch (family) {
            case IPV4 -> "net/ipv4/ip_forward";
            case IPV6 -> "net/ipv6/conf/all/forwarding";
        };
    }

    /** The note that it had to be enabled again. */
    static String switchedOff(IpFamily family) {
        return key(family).replace('/', '.') + " was switched off by another program, and is on again";
    }

    /**
     * Enables it where it is off.
     *
     * @param may whether the administrator allows that; otherwise it is only checked
     * @return why it stays off and what to do; empty when it is on
     */
    static Optional<String> apply(KernelSettings kernel, IpFamily family, boolean may) {
        String key = key(family);
        String name = key.replace('/', '.');
        String off = name + " is 0: no " + family + " packet is forwarded to pods of this or another node; ";
        try {
            if (!kernel.read(key).equals("0")) {
                return Optional.empty();
            }
            Set<String> forwarding = interfaces(kernel.ns(), family);
            if (isOnEverywhere(kernel.ns(), forwarding)) {
                return Optional.empty();
            }
            if (!forwarding.isEmpty()) {
                off = name + " is 0: only " + family + " packets that come in through " + String.join(", ", forwarding)
                        + " are forwarded; ";
            }
            if (!may) {
                return Optional.of(off + "set it to 1, or leave out --set-forwarding=false");
            }
            Set<String> listening = family == IpFamily.IPV6 ? listening(kernel.ns()) : Set.of();
            if (!listening.isEmpty()) {
                return Optional.of(
                        off + "with it on, the kernel would stop listening to the routers its default route comes"
                                + " from, so set first: "
                                + listening.stream()
                                        .sorted()
                                        .map(link -> "net.ipv6.conf." + link + ".accept_ra=2")
                                        .collect(Collectors.joining(", "))
                                + ", then " + name + "=1");
            }
            kernel.set(key, "1", "set-forwarding");
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    off + "it cannot be set here (" + ConntrackSettings.reason(e) + "), so set it to 1 on the host");
        }
    }

    /**
     * Interfaces that have forwarding of their own, though it is not on for all, and {@code default} likewise. In IPv6 that is
     * {@code force_forwarding} of Linux 6.17 and later.
     */
    private static Set<String> interfaces(NetNs ns, IpFamily family) throws IOException {
        Set<String> names = switch (family) {
            case IPV4 -> Sysctl.interfaces(ns, "net/ipv4/conf", "forwarding", "1");
            case IPV6 -> Sysctl.interfaces(ns, "net/ipv6/conf", "force_forwarding", "1");
        };
        // Has no effect of its own.
        names.remove("all");
        return names;
    }

    /** Whether packets are forwarded from every interface there is, and from those that will be made. */
    private static boolean isOnEverywhere(NetNs ns, Set<String> forwarding) throws NetlinkException {
        if (!forwarding.contains("default")) {
            return false;
        }
        try (RouteClient kernel = RouteClient.open(ns)) {
            return kernel.links().stream()
                    .map(Link::name)
                    .allMatch(name -> name.equals("lo") || forwarding.contains(name));
        }
    }

    /** Links whose default route the kernel itself took from a router advertisement, and would lose as a router. */
    private static Set<String> listening(NetNs ns) throws NetlinkException {
        try (RouteClient kernel = RouteClient.open(ns)) {
            Set<Integer> links = kernel.routes(IpFamily.IPV6).stream()
                    .filter(route -> route.isDefault() && route.origin().equals(RouteOrigin.ROUTER_ADVERTISEMENT))
                    .flatMap(route -> links(route).stream())
                    .collect(Collectors.toSet());
            return kernel.links().stream()
                    .filter(link -> links.contains(link.index()))
                    .map(Link::name)
                    .filter(name -> isOne(ns, "net/ipv6/conf/" + name + "/accept_ra"))
                    .collect(Collectors.toSet());
        }
    }

    private static List<Integer> links(Route route) {
        return route.link().isPresent()
                ? List.of(route.link().getAsInt())
                : route.hops().stream().map(hop -> hop.link()).toList();
    }

    private static boolean isOne(NetNs ns, String key) {
        try {
            return Sysctl.read(ns, key).equals("1");
        } catch (IOException e) {
            return false;
        }
    }
}
