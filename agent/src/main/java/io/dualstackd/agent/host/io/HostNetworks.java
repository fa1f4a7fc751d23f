package io.dualstackd.agent.host.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteOrigin;
import io.dualstackd.netlink.route.RouteType;
import io.dualstackd.node.NetworkOverlaps.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads the networks that a host is attached to or has routes to. */
public final class HostNetworks {
    /** The interface that holds the addresses of Services in IPVS mode. */
    private static final String SERVICES = "kube-ipvs0";

    private HostNetworks() {}

    /**
     * The networks of the interfaces, and the destinations of the routes that someone added to the main table.
     *
     * @param expected networks to which a route is no surprise: some CNI plug-ins make one to the network of Services
     */
    public static List<Network> read(NetlinkSockets sockets, Set<IpPrefix> expected) throws NetlinkException {
        List<Network> networks = new ArrayList<>();
        try (RouteClient kernel = RouteClient.open(sockets)) {
            Map<Integer, String> names = new TreeMap<>();
            for (Link link : kernel.links()) {
                names.put(link.index(), link.name());
            }
            for (IpFamily family : IpFamily.values()) {
                for (Address address : kernel.addresses(family)) {
                    String name = names.getOrDefault(address.link(), "");
                    boolean single = address.prefixLength() == family.bits();
                    if (address.family() == family && !single && !name.equals(SERVICES)) {
                        networks.add(
                                new Network(new IpPrefix(address.ip(), address.prefixLength()), "interface " + name));
                    }
                }
                for (Route route : kernel.routes(family)) {
                    if (isAdded(route, family) && !expected.contains(route.destination())) {
                        String name = route.link().isPresent()
                                ? names.getOrDefault(route.link().getAsInt(), "")
                                : "";
                        networks.add(new Network(
                                route.destination(), name.isEmpty() ? "a route" : "a route through " + name));
                    }
                }
            }
        }
        return networks;
    }

    private static boolean isAdded(Route route, IpFamily family) {
        return route.family() == family
                && route.table() == Route.MAIN
                && route.type().equals(RouteType.UNICAST)
                && !route.isDefault()
                && !route.origin().equals(RouteOrigin.KERNEL);
    }
}
