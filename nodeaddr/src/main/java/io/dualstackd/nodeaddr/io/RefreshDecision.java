package io.dualstackd.nodeaddr.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.nodeaddr.Host;
import java.util.List;

/**
 * Decides whether a kernel notification changes the known host: a renewed lease, a repeated router advertisement, or a pod's link that
 * changes its queue does not.
 */
final class RefreshDecision {
    private RefreshDecision() {}

    /** Returns what has to be read because of this change. */
    static RefreshScope of(RouteChange change, Host known) {
        return switch (change) {
            case RouteChange.LinkSeen(var link) ->
                known.links().contains(KernelHost.link(link)) ? RefreshScope.NOTHING : ofLink(link.index(), known);
            case RouteChange.LinkGone(var link) ->
                known.link(link.index()).isPresent() ? ofLink(link.index(), known) : RefreshScope.NOTHING;
            case RouteChange.AddressSeen(var address) ->
                known.addresses().contains(KernelHost.address(address))
                        ? RefreshScope.NOTHING
                        : RefreshScope.LINKS_AND_ADDRESSES;
            case RouteChange.AddressGone(var address) -> {
                boolean there = known.addresses().stream()
                        .anyMatch(a -> a.link() == address.link()
                                && a.ip().equals(address.ip())
                                && a.prefixLength() == address.prefixLength());
                // With an IPv4 address, the kernel removes routes through its link or with it as source, without a
                // notification.
                boolean perhapsRoutes = address.family() == IpFamily.IPV4
                        && known.defaultRoutes().stream()
                                .anyMatch(route -> route.link() == address.link()
                                        || route.source()
                                                .filter(address.ip()::equals)
                                                .isPresent());
                yield !there
                        ? RefreshScope.NOTHING
                        : perhapsRoutes ? RefreshScope.ALL : RefreshScope.LINKS_AND_ADDRESSES;
            }
            case RouteChange.RouteSeen(var route) -> route.isDefault() ? RefreshScope.ALL : RefreshScope.NOTHING;
            case RouteChange.RouteGone(var route) -> route.isDefault() ? RefreshScope.ALL : RefreshScope.NOTHING;
            // Handled by HostReader, which knows the next hop objects of the default routes.
            case RouteChange.NextHopChanged _, RouteChange.Other _ -> RefreshScope.NOTHING;
        };
    }

    /**
     * Whether default routes of {@code before} may have been removed without a notification, judging by links and addresses listed since:
     * the link of one has changed, or an IPv4 address on it or in it is gone.
     */
    static boolean mayHaveLostRoutes(Host before, List<Host.Link> links, List<Host.Address> addresses) {
        return before.defaultRoutes().stream()
                .anyMatch(route -> before.link(route.link())
                                .filter(link -> !links.contains(link))
                                .isPresent()
                        || before.addresses().stream()
                                .filter(address -> address.ip().family() == IpFamily.IPV4)
                                .filter(address -> address.link() == route.link()
                                        || route.source()
                                                .filter(address.ip()::equals)
                                                .isPresent())
                                .anyMatch(address -> addresses.stream()
                                        .noneMatch(a -> a.link() == address.link()
                                                && a.ip().equals(address.ip())
                                                && a.prefixLength() == address.prefixLength())));
    }

    /** A link that goes down loses its routes, and the kernel sends no notification for them. */
    private static RefreshScope ofLink(int index, Host known) {
        boolean leadsOut = known.defaultRoutes().stream().anyMatch(route -> route.link() == index);
        return leadsOut ? RefreshScope.ALL : RefreshScope.LINKS_AND_ADDRESSES;
    }
}
