package io.dualstackd.netlink.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.NextHopObject;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteCodec;
import io.dualstackd.netlink.route.RouteMessages;
import io.dualstackd.netlink.route.RouteType;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lists the default routes of the main table of one network namespace, as {@code ip route show default} does. The kernel cannot filter by
 * destination, only by table, so it sends the whole table; all but default routes are skipped in the receive buffer. For one thread at a
 * time.
 */
public final class DefaultRouteClient implements AutoCloseable {
    private final NetlinkConnection kernel;
    private final Map<IpFamily, Set<Integer>> objects = new EnumMap<>(IpFamily.class);

    /** @param kernel a connection of {@link NlProtocol#ROUTE} */
    DefaultRouteClient(NetlinkConnection kernel) {
        this.kernel = kernel;
    }

    /** Through one of these sockets. */
    public static DefaultRouteClient open(NetlinkSockets sockets) throws NetlinkException {
        NlTransport socket = sockets.open(NlProtocol.ROUTE);
        socket.receiveOnly(DefaultRouteFilter::keeps);
        return new DefaultRouteClient(new NetlinkConnection(socket));
    }

    /** Unicast default routes of a family, in the kernel's order, which is not that of their metrics. */
    public List<Route> list(IpFamily family) throws NetlinkException {
        Request request = new Request(
                "list " + family + " default routes",
                RouteMessages.GETROUTE,
                0,
                w -> RouteCodec.writeListUnicast(w, family, Route.MAIN));
        try {
            return resolved(family, kernel.dumpInto(() -> new Defaults(family), request).routes);
        } catch (NetlinkException.Refused e) {
            // The main table is created together with its first route.
            if (e.errno().equals(Errno.ENOENT)) {
                return List.of();
            }
            throw e;
        }
    }

    /** Ids of the next hop objects used by the routes listed last. */
    public Set<Integer> objects() {
        return objects.values().stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    /** With {@code net.ipv4.nexthop_compat_mode} off, a route contains only the id of its next hop object. */
    private List<Route> resolved(IpFamily family, List<Route> routes) throws NetlinkException {
        Set<Integer> used = new HashSet<>();
        objects.put(family, used);
        List<Route> resolved = new ArrayList<>();
        Map<Integer, NextHopObject> all = Map.of();
        try {
            for (Route route : routes) {
                OptionalInt id = route.nextHopObject();
                if (id.isPresent() && all.isEmpty()) {
                    all = nextHops();
                }
                NextHopObject object = id.isPresent() ? all.get(id.getAsInt()) : null;
                id.ifPresent(used::add);
                if (object != null) {
                    object.group().forEach(member -> used.add(member.id()));
                }
                boolean silent = route.link().isEmpty() && route.hops().isEmpty();
                resolved.add(object != null && silent ? route.withHops(object.hops(all)) : route);
            }
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed("read a default route", e);
        }
        return List.copyOf(resolved);
    }

    private Map<Integer, NextHopObject> nextHops() throws NetlinkException {
        Request request = new Request(
                "list next hops", RouteMessages.GETNEXTHOP, 0, writer -> writer.zeros(NextHopObject.HEADER));
        Map<Integer, NextHopObject> all = new HashMap<>();
        kernel.dump(request, message -> NextHopObject.read(message.body("RTM_NEWNEXTHOP")))
                .forEach(object -> all.put(object.id(), object));
        return all;
    }

    private static final class Defaults implements NetlinkConnection.Visitor {
        private final IpFamily family;
        private final List<Route> routes = new ArrayList<>();

        Defaults(IpFamily family) {
            this.family = family;
        }

        @Override
        public void visit(NlMessage message) throws DecodeException {
            // A kernel without the family returns the routes of another one.
            if (message.type() != RouteMessages.NEWROUTE
                    || message.body("RTM_NEWROUTE").u8() != family.number()) {
                return;
            }
            Route route = RouteCodec.read(message.body("RTM_NEWROUTE"));
            if (route.isDefault() && route.table() == Route.MAIN && route.type().equals(RouteType.UNICAST)) {
                routes.add(route);
            }
        }
    }

    @Override
    public void close() {
        kernel.close();
    }
}
