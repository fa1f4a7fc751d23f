package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.netlink.io.IpvsClient;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.sys.Errno;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes what IPVS mode, or a kube-proxy in that mode, left beside rules. Virtual servers have no name, so they are recognised by
 * their address: one that the link of Services holds, or for node ports one of the node's with a port of the usual range.
 */
public final class IpvsCleanup {
    private static final int FIRST_NODE_PORT = 30_000;
    private static final int LAST_NODE_PORT = 32_767;

    private IpvsCleanup() {}

    /**
     * The result of a cleanup.
     *
     * @param link whether the link that held the addresses of Services was removed
     * @param servers how many virtual servers were removed
     * @param kept virtual servers that may belong to other programs
     */
    public record Removed(boolean link, int servers, List<String> kept) {
        public Removed {
            kept = List.copyOf(kept);
        }
    }

    /**
     * @param loaded whether IPVS is loaded in the kernel; a request to one without it would load it
     * @param excluded virtual servers on these networks belong to other programs
     */
    public static Removed clean(NetlinkSockets sockets, boolean loaded, List<IpPrefix> excluded)
            throws NetlinkException {
        try (RouteClient links = RouteClient.open(sockets)) {
            Optional<Link> link = links.link(ServiceLink.NAME);
            Set<Ip> ofServices = new HashSet<>();
            Set<Ip> ofNode = new HashSet<>();
            for (IpFamily family : IpFamily.values()) {
                for (Address address : links.addresses(family)) {
                    boolean held =
                            link.isPresent() && address.link() == link.get().index();
                    (held ? ofServices : ofNode).add(address.ip());
                }
            }
            List<String> kept = new ArrayList<>();
            int gone = loaded ? servers(sockets, ofServices, link.isPresent() ? ofNode : Set.of(), excluded, kept) : 0;
            // Last: without the link, another attempt after a failure would recognise no virtual server.
            if (link.isPresent()) {
                delete(links, link.get());
            }
            return new Removed(link.isPresent(), gone, kept);
        }
    }

    private static void delete(RouteClient links, Link link) throws NetlinkException {
        try {
            links.deleteLink(link.index());
        } catch (NetlinkException.Refused e) {
            if (!e.errno().equals(Errno.ENODEV)) {
                throw e;
            }
        }
    }

    private static int servers(
            NetlinkSockets sockets, Set<Ip> ofServices, Set<Ip> ofNode, List<IpPrefix> excluded, List<String> kept)
            throws NetlinkException {
        Optional<IpvsClient> found = IpvsClient.open(new NetlinkConnection(sockets.open(NlProtocol.GENERIC)));
        if (found.isEmpty()) {
            return 0;
        }
        try (IpvsClient kernel = found.get()) {
            List<IpvsChange> changes = new ArrayList<>();
            for (IpvsService.Listed each : kernel.services()) {
                IpvsService service = each.service();
                if (service.key() instanceof IpvsKey.At at
                        && excluded.stream().noneMatch(network -> network.contains(at.address()))
                        && (ofServices.contains(at.address()) || (ofNode.contains(at.address()) && isNodePort(at)))) {
                    changes.add(new IpvsChange.DeleteService(at));
                } else {
                    kept.add(service.key().toString());
                }
            }
            List<IpvsClient.Refused> refused = kernel.apply(changes).stream()
                    .filter(one -> !IpvsClient.isDone(
                            changes.get(one.index()), one.refusal().errno()))
                    .toList();
            refused.forEach(one -> kept.add(changes.get(one.index()).key() + " (" + one.refusal() + ")"));
            return changes.size() - refused.size();
        }
    }

    private static boolean isNodePort(IpvsKey.At at) {
        return at.port() >= FIRST_NODE_PORT && at.port() <= LAST_NODE_PORT;
    }
}
