package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;

/** A change of links, addresses or routes. */
public sealed interface RouteChange {
    /** The family of messages about links themselves. */
    int AF_UNSPEC = 0;

    /** New, or changed. */
    record LinkSeen(Link link) implements RouteChange {}

    record LinkGone(Link link) implements RouteChange {}

    /** New, or changed. */
    record AddressSeen(Address address) implements RouteChange {}

    record AddressGone(Address address) implements RouteChange {}

    /** New, or changed. */
    record RouteSeen(Route route) implements RouteChange {}

    record RouteGone(Route route) implements RouteChange {}

    /** New, changed or gone. */
    record NextHopChanged(int id) implements RouteChange {}

    /** A message of another type, for example about the ports of a bridge. */
    record Other(int type) implements RouteChange {}

    static RouteChange read(NlMessage message) throws DecodeException {
        boolean link = message.type() == RouteMessages.NEWLINK || message.type() == RouteMessages.DELLINK;
        if (link && message.body("RTM_NEWLINK").u8() != AF_UNSPEC) {
            // A bridge reports its ports in the same group: for one that leaves it a link of that family is deleted,
            // but it is still there.
            return new Other(message.type());
        }
        return switch (message.type()) {
            case RouteMessages.NEWLINK -> new LinkSeen(LinkCodec.read(message.body("RTM_NEWLINK")));
            case RouteMessages.DELLINK -> new LinkGone(LinkCodec.read(message.body("RTM_DELLINK")));
            case RouteMessages.NEWADDR -> new AddressSeen(AddressCodec.read(message.body("RTM_NEWADDR")));
            case RouteMessages.DELADDR -> new AddressGone(AddressCodec.read(message.body("RTM_DELADDR")));
            case RouteMessages.NEWROUTE -> new RouteSeen(RouteCodec.read(message.body("RTM_NEWROUTE")));
            case RouteMessages.DELROUTE -> new RouteGone(RouteCodec.read(message.body("RTM_DELROUTE")));
            case RouteMessages.NEWNEXTHOP ->
                new NextHopChanged(
                        NextHopObject.read(message.body("RTM_NEWNEXTHOP")).id());
            case RouteMessages.DELNEXTHOP ->
                new NextHopChanged(
                        NextHopObject.read(message.body("RTM_DELNEXTHOP")).id());
            default -> new Other(message.type());
        };
    }
}
