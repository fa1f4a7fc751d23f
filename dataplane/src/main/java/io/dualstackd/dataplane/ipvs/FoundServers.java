package io.dualstackd.dataplane.ipvs;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.Map;
import java.util.Set;

/**
 * The virtual servers and addresses found in a kernel, in one family.
 *
 * @param servers those on addresses that are not excluded
 * @param addresses of the link that holds the addresses of Services
 */
public record FoundServers(Map<IpvsKey.At, Found> servers, Set<Ip> addresses) {
    /** @param weights of its destinations, those with other forwarding methods included */
    public record Found(IpvsService service, Map<IpPort, Integer> weights) {}
}
