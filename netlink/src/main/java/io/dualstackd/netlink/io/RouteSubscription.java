package io.dualstackd.netlink.io;

import io.dualstackd.netlink.io.Subscription.Notification;
import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.netlink.route.RouteMessages;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.ArrayList;
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

    /** An event received by a subscription. */
    public sealed interface Event {
        record Changes(List<RouteChange> changes) implements Event {
            public Changes {
                changes = List.copyOf(changes);
            }
        }

        /** Changes were lost: list again. */
        record Lost() implements Event {}

        /** Nothing changed in the given time. */
        record Quiet() implements Event {}
    }

    private final Subscription subscription;

    /** @param subscription to groups of {@link NlProtocol#ROUTE} */
    public RouteSubscription(Subscription subscription) {
        this.subscription = subscription;
    }

    public static RouteSubscription open(NetNs ns, Topic... topics) throws NetlinkException {
        return open(NetlinkSockets.of(ns), topics);
    }

    /** Subscribes through one of these sockets. */
    public static RouteSubscription open(NetlinkSockets sockets, Topic... topics) throws NetlinkException {
        return join(sockets.open(NlProtocol.ROUTE), topics);
    }

    /** Subscribes in the namespace of the calling thread. */
    public static RouteSubscription open(Topic... topics) throws NetlinkException {
        return join(NlSocket.open(NlProtocol.ROUTE), topics);
    }

    private static RouteSubscription join(NlTransport socket, Topic... topics) throws NetlinkException {
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
        return new RouteSubscription(new Subscription(socket));
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

    /** Waits for the next event; {@link NetlinkException.Closed} when another thread closes this. */
    public Event next() throws NetlinkException {
        return next(NlTransport.FOREVER);
    }

    /** Waits for the next event, at most {@code timeout}. */
    public Event next(Duration timeout) throws NetlinkException {
        return switch (subscription.next(timeout)) {
            case Notification.Changes(List<NlMessage> messages) -> new Event.Changes(read(messages));
            case Notification.Lost ignored -> new Event.Lost();
            case Notification.Quiet ignored -> new Event.Quiet();
        };
    }

    private static List<RouteChange> read(List<NlMessage> messages) throws NetlinkException {
        List<RouteChange> changes = new ArrayList<>(messages.size());
        try {
            for (NlMessage message : messages) {
                changes.add(RouteChange.read(message));
            }
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed("read a change of links, addresses or routes", e);
        }
        return changes;
    }

    @Override
    public void close() {
        subscription.close();
    }
}
