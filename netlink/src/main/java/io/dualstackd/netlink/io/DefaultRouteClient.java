package io.dualstackd.netlink.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteCodec;
import io.dualstackd.netlink.route.RouteMessages;
import io.dualstackd.netlink.route.RouteType;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the default routes of the main table of one network namespace: what {@code ip route show default} does. The kernel cannot be
 * asked for a destination, only for a table, so it sends the whole table; all but default routes are passed over where they lie in the
 * receive buffer. For one thread at a time.
 */
public final class DefaultRouteClient implements AutoCloseable {
    private final Conversation kernel;

    /** @param kernel a conversation of {@link NlProtocol#ROUTE} */
    DefaultRouteClient(Conversation kernel) {
        this.kernel = kernel;
    }

    /** For a given namespace. */
    public static DefaultRouteClient open(NetNs ns) throws NetlinkException {
        NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns);
        socket.receiveOnly(DefaultRouteFilter::keeps);
        return new DefaultRouteClient(new Conversation(socket));
    }

    /** Unicast default routes of a family, in the kernel's order, which is not that of their metrics. */
    public List<Route> list(IpFamily family) throws NetlinkException {
        Request request = new Request(
                "list " + family + " default routes",
                RouteMessages.GETROUTE,
                0,
                w -> RouteCodec.writeListUnicast(w, family, Route.MAIN));
        try {
            return kernel.dumpInto(() -> new Defaults(family), request).routes;
        } catch (NetlinkException.Refused e) {
            // The main table is made together with its first route.
            if (e.errno().equals(Errno.ENOENT)) {
                return List.of();
            }
            throw e;
        }
    }

    private static final class Defaults implements Conversation.Visitor {
        private final IpFamily family;
        private final List<Route> routes = new ArrayList<>();

        Defaults(IpFamily family) {
            this.family = family;
        }

        @Override
        public void visit(NlMessage message) throws DecodeException {
            // A kernel without the family answers with another's.
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
