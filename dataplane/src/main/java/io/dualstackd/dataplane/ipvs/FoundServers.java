package io.dualstackd.dataplane.ipvs;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.Map;
import java.util.Set;

/**
 * The virtual servers and addresses found in a kernel, in one family.
 *
 * @param servers all of the family
 * @param addresses of the link that holds the addresses of Services
 */
public record FoundServers(Map<IpvsKey.At, Found> servers, Set<Ip> addresses) {
    /** Stands for the weight of a destination that another program has given another forwarding method, or limits. */
    public static final int ALTERED = -1;

    /** @param weights of its destinations, as in {@link #weight} */
    public record Found(IpvsService service, Map<IpPort, Integer> weights) {}

    /** The weight of a destination, or {@link #ALTERED}. */
    public static int weight(IpvsDestination destination) {
        int weight = destination.weight();
        return destination.equals(IpvsDestination.of(destination.address(), weight)) ? weight : ALTERED;
    }
}
