package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.dataplane.counters.ServerCounters;
import io.dualstackd.dataplane.counters.io.ServerConnectionCounts;
import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.netlink.io.IpvsClient;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the connections of all virtual servers of a family, with sockets of its own. */
final class ServerStatistics implements ServerConnectionCounts.Servers {
    private final IpFamily family;
    private final IpvsSettings settings;
    private final NetlinkSockets sockets;

    ServerStatistics(IpFamily family, IpvsSettings settings, NetlinkSockets sockets) {
        this.family = family;
        this.settings = settings;
        this.sockets = sockets;
    }

    @Override
    public Optional<String> readInto(ServerCounters counters) {
        try {
            Optional<IpvsClient> opened = IpvsClient.open(new NetlinkConnection(sockets.open(NlProtocol.GENERIC)));
            if (opened.isEmpty()) {
                return Optional.of(IpvsAdvice.MISSING);
            }
            Map<IpvsKey.At, Long> connections = new HashMap<>();
            Set<Ip> ofServices = addresses();
            try (IpvsClient kernel = opened.get()) {
                for (IpvsService.Listed each : kernel.services()) {
                    if (each.service().key() instanceof IpvsKey.At at
                            && at.family() == family
                            && (!settings.excludes(at.address()) || ofServices.contains(at.address()))) {
                        connections.put(at, each.connections());
                    }
                }
            }
            counters.end(connections, ofServices);
            return Optional.empty();
        } catch (NetlinkException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private Set<Ip> addresses() throws NetlinkException {
        try (RouteClient links = new RouteClient(new NetlinkConnection(sockets.open(NlProtocol.ROUTE)))) {
            return ServiceLink.addresses(links, family);
        }
    }
}
