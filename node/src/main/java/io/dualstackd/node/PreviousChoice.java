package io.dualstackd.node;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.Host;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parts of earlier choices that are kept, so that a node whose uplink is down for a moment keeps its addresses.
 *
 * @param choice the last one
 * @param uplinks names of the interfaces that had default routes when there last was one
 * @param ips the last node IP of each family
 */
public record PreviousChoice(AddressChoice choice, Set<String> uplinks, Map<IpFamily, Ip> ips) {
    /** No choice has been made yet. */
    public static final PreviousChoice NOTHING = new PreviousChoice(AddressChoice.None.YET, Set.of(), Map.of());

    public PreviousChoice {
        uplinks = Set.copyOf(uplinks);
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
        return new PreviousChoice(now, leadOut.isEmpty() ? uplinks : leadOut, last);
    }

    /** The last node IP of a family. */
    public Optional<Ip> ip(IpFamily family) {
        return Optional.ofNullable(ips.get(family));
    }
}
