package io.dualstackd.dataplane.ipvs;

import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.Set;

/**
 * One virtual server that is wanted.
 *
 * @param service its {@link IpvsService#key} is an {@link IpvsKey.At}
 * @param destinations new connections are balanced over these
 * @param held whether its address is to be made the node's own; false where it is so already
 */
public record VirtualServer(IpvsService service, Set<IpPort> destinations, boolean held) {
    public VirtualServer {
        destinations = Set.copyOf(destinations);
    }
}
