package io.dualstackd.node;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.Host;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of earlier choices that are kept, so that a node whose uplink is down for a moment keeps its addresses.
 *
 * @param choice the last one
 * @param uplinks names of the interfaces that had default routes when there last was one
 * @param routed families that had a default route when their present address was chosen
 * @param ips the last node IP of each family
 */
public record PreviousChoice(AddressChoice choice, Set<String> uplinks, Set<IpFamily> routed, Map<IpFamily, Ip> ips) {
    /** No choice has been made yet. */
    public static final PreviousChoice NOTHING =
            new PreviousChoice(AddressChoice.None.YET, Set.of(), Set.of(), Map.of());

    public PreviousChoice {
        uplinks = Set.copyOf(uplinks);
        routed = Set.copyOf(routed);
        ips = Map.copyOf(ips);
    }

    /** Adds a choice made on this host. */
    public PreviousChoice and(AddressChoice now, Host host) {
        Set<String> leadOut = host.defaultRoutes().stream()
                .flatMap(route -> host.link(route.link()).stream())
                .map(Host.Link::name)
                .collect(Collectors.toSet());
        Map<IpFamily, Ip> last = new EnumMap<>(IpFamily.class);
        last.putAll(ips);
        for (IpFamily family : IpFamily.values()) {
            now.ip(family).ifPresent(ip -> last.put(family, ip));
        }
        Set<IpFamily> led = Stream.of(IpFamily.values())
                .filter(family -> hasRoute(host, family)
                        || (routed.contains(family) && now.ip(family).equals(choice.ip(family))))
                .collect(Collectors.toSet());
        return new PreviousChoice(now, leadOut.isEmpty() ? uplinks : leadOut, led, last);
    }

    /** The same, without the last node IPs: for another configuration. */
    public PreviousChoice withoutIps() {
        return new PreviousChoice(choice, uplinks, routed, Map.of());
    }

    /** Whether a family has lost its default route, and with it what its address was chosen by. */
    boolean hasLostRoute(IpFamily family, Host host) {
        return host.defaultRoutes().isEmpty() || (routed.contains(family) && !hasRoute(host, family));
    }

    private static boolean hasRoute(Host host, IpFamily family) {
        return host.defaultRoutes().stream().anyMatch(route -> route.family() == family);
    }

    /** The last node IP of a family. */
    public Optional<Ip> ip(IpFamily family) {
        return Optional.ofNullable(ips.get(family));
    }
}
