package io.dualstackd.nodeaddr.io;

import io.dualstackd.netlink.io.DefaultRouteClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.Notification;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.io.RouteSubscription;
import io.dualstackd.netlink.io.RouteSubscription.Topic;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.nodeaddr.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the state of a host through two sockets of its own. For one thread at a time. */
public final class HostReader implements AutoCloseable {
    /** Reads are repeated when the lists change meanwhile; after this many attempts the last result is returned. */
    private static final int ATTEMPTS = 5;

    /**
     * The interface that holds the addresses of Services in the IPVS modes of kube-proxy and dualstackd: they belong to the cluster, on
     * each of its nodes.
     */
    private static final String SERVICES = "kube-ipvs0";

    private final RouteClient kernel;
    private final DefaultRouteClient defaults;
    /** Numbers of the links named {@link #SERVICES}, as last read or notified. */
    private Set<Integer> ofServices = new HashSet<>();

    private HostReader(RouteClient kernel, DefaultRouteClient defaults) {
        this.kernel = kernel;
        this.defaults = defaults;
    }

    static HostReader open(NetNs ns) throws NetlinkException {
        return open(NetlinkSockets.of(ns));
    }

    static HostReader open(NetlinkSockets sockets) throws NetlinkException {
        RouteClient routes = RouteClient.open(sockets);
        try {
            return new HostReader(routes, DefaultRouteClient.open(sockets));
        } catch (NetlinkException e) {
            routes.close();
            throw e;
        }
    }

    /** Reads links, addresses and default routes of {@code ns}, all as they were at one moment. */
    public static Host read(NetNs ns) throws NetlinkException {
        try (RouteSubscription changes = subscribe(ns);
                HostReader reader = open(ns)) {
            Host host = reader.read(RefreshScope.ALL, Host.EMPTY);
            for (int attempt = 1;
                    attempt < ATTEMPTS && reader.pendingScope(changes, host) != RefreshScope.NOTHING;
                    attempt++) {
                host = reader.read(RefreshScope.ALL, host);
            }
            return host;
        }
    }

    /** Subscribes to changes of all objects that a {@link Host} consists of. */
    static RouteSubscription subscribe(NetNs ns) throws NetlinkException {
        return subscribe(NetlinkSockets.of(ns));
    }

    static RouteSubscription subscribe(NetlinkSockets sockets) throws NetlinkException {
        return RouteSubscription.open(sockets, Topic.LINKS, Topic.ADDRESSES, Topic.DEFAULT_ROUTES, Topic.NEXT_HOPS);
    }

    /** Reads all pending notifications, and returns what must be read again of {@code host}. */
    RefreshScope pendingScope(RouteSubscription changes, Host host) throws NetlinkException {
        RefreshScope scope = RefreshScope.NOTHING;
        while (true) {
            switch (changes.next(Duration.ZERO)) {
                case Notification.Quiet() -> {
                    return scope;
                }
                case Notification.Lost() -> scope = RefreshScope.ALL;
                case Notification.Changes(var some) -> scope = of(some, host).and(scope);
            }
        }
    }

    /** Returns the same for the given changes. */
    RefreshScope of(List<RouteChange> changes, Host host) {
        RefreshScope scope = RefreshScope.NOTHING;
        for (var change : changes) {
            boolean leadsOut = change instanceof RouteChange.NextHopChanged(int id)
                    && defaults.objects().contains(id);
            if (leadsOut) {
                scope = RefreshScope.ALL;
            } else if (!isOfServices(change, host)) {
                scope = scope.and(RefreshDecision.of(change, host));
            }
        }
        return scope;
    }

    /**
     * Whether a change is one of what {@link #read} leaves out. Ten thousand addresses of Services may be added one after another, and a list
     * that changes all the time cannot be read.
     */
    private boolean isOfServices(RouteChange change, Host host) {
        if (change instanceof RouteChange.LinkSeen(var link)
                && link.name().equals(SERVICES)
                && host.link(link.index()).isEmpty()) {
            ofServices.add(link.index());
            return true;
        }
        return change instanceof RouteChange.AddressSeen(var address) && ofServices.contains(address.link());
    }

    /**
     * Reads {@code part}.
     *
     * @param before supplies the parts that are not read
     */
    Host read(RefreshScope refreshScope, Host before) throws NetlinkException {
        if (refreshScope == RefreshScope.NOTHING) {
            return before;
        }
        List<Host.Link> links = new ArrayList<>();
        Set<Integer> leftOut = new HashSet<>();
        for (Link link : kernel.links()) {
            if (link.name().equals(SERVICES)) {
                leftOut.add(link.index());
            } else {
                links.add(KernelHost.link(link));
            }
        }
        ofServices = leftOut;
        List<Host.Address> addresses = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            // A kernel without the family returns the addresses of the others.
            kernel.addresses(family).stream()
                    .filter(address -> address.family() == family && !leftOut.contains(address.link()))
                    .map(KernelHost::address)
                    .forEach(addresses::add);
        }
        // The later notification of an address first seen here is no change, so its routes must be listed now.
        boolean routes =
                refreshScope == RefreshScope.ALL || RefreshDecision.mayHaveLostRoutes(before, links, addresses);
        return new Host(links, addresses, routes ? defaultRoutes() : before.defaultRoutes());
    }

    private List<Host.DefaultRoute> defaultRoutes() throws NetlinkException {
        List<Host.DefaultRoute> all = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            defaults.list(family).stream().flatMap(KernelHost::routes).forEach(all::add);
        }
        return all;
    }

    @Override
    public void close() {
        kernel.close();
        defaults.close();
    }
}
