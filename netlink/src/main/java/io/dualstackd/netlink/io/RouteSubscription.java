package io.dualstackd.netlink.io;

import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.netlink.route.RouteMessages;
import java.time.Duration;
import java.util.List;

/**
 * Receives changes of links, addresses and routes of one network namespace. Open it first, then list: changes in between are received, so
 * none is missed. For one receiving thread; may be closed from any.
 */
public final class RouteSubscription implements AutoCloseable {
    /** The kinds of changes to subscribe to. */
    public enum Topic {
        LINKS,
        ADDRESSES,
        ROUTES,
        /**
         * Default routes of the main table. The kernel drops notifications of all others, so a flood of them costs nothing here. Has no
         * effect together with {@link #ROUTES}.
         */
        DEFAULT_ROUTES,
        /** Next hops that are objects of their own; a kernel before 5.3 has none. */
        NEXT_HOPS;

        private List<Integer> groups() {
            return switch (this) {
                case LINKS -> List.of(RouteMessages.GROUP_LINK);
                case ADDRESSES -> List.of(RouteMessages.GROUP_IPV4_ADDRESS, RouteMessages.GROUP_IPV6_ADDRESS);
                case NEXT_HOPS -> List.of(RouteMessages.GROUP_NEXTHOP);
                case ROUTES, DEFAULT_ROUTES -> List.of(RouteMessages.GROUP_IPV4_ROUTE, RouteMessages.GROUP_IPV6_ROUTE);
            };
        }
    }

    private final NlTransport socket;

    /** @param socket of {@link NlProtocol#ROUTE}, which has joined its groups and is used for nothing else */
    public RouteSubscription(NlTransport socket) {
        this.socket = socket;
    }

    /** Subscribes through one of these sockets. */
    public static RouteSubscription open(NetlinkSockets sockets, Topic... topics) throws NetlinkException {
        NlTransport socket = sockets.open(NlProtocol.ROUTE);
        List<Topic> all = List.of(topics);
        try {
            if (all.contains(Topic.DEFAULT_ROUTES) && !all.contains(Topic.ROUTES)) {
                socket.hearOnlyDefaultRoutes();
            }
            for (Topic topic : all) {
                for (int group : topic.groups()) {
                    join(socket, topic, group);
                }
            }
        } catch (NetlinkException e) {
            socket.close();
            throw e;
        }
        return new RouteSubscription(socket);
    }

    private static void join(NlTransport socket, Topic topic, int group) throws NetlinkException {
        try {
            socket.join(group);
        } catch (NetlinkException e) {
            if (topic != Topic.NEXT_HOPS) {
                throw e;
            }
            // A kernel that does not know the group sends no notifications for it.
        }
    }

    /** Waits for the next changes, at most {@code timeout}; {@link NetlinkException.Closed} when another thread closes this. */
    public Notification<RouteChange> next(Duration timeout) throws NetlinkException {
        return Notification.receive(socket, timeout, "read a change of links, addresses or routes", RouteChange::read);
    }

    @Override
    public void close() {
        socket.close();
    }
}
