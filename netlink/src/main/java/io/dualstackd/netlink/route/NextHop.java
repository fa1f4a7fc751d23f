package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import java.util.Optional;

/**
 * One of several next hops of a route ({@code struct rtnexthop} of {@code linux/rtnetlink.h}).
 *
 * @param link index of the outgoing link; 0 when it follows from the gateway
 * @param weight its share of the packets, 1 to 65,536
 * @param flags {@code RTNH_F_*}
 * @param gateway the next router, possibly of the other family; none where the destinations are neighbours
 * @param others attributes this record has no field for, as the kernel sent them
 */
public record NextHop(int link, int weight, int flags, Optional<Ip> gateway, List<RawAttr> others) {
    /** In a group of next hops, from Linux 6.12 on; in a route itself it is 256. */
    private static final int MOST_WEIGHT = 65_536;

    public NextHop {
        if (weight < 1 || weight > MOST_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + " is not in 1.." + MOST_WEIGHT);
        }
        others = List.copyOf(others);
    }

    /** Returns a next hop through a router. */
    public static NextHop via(Ip gateway, int link) {
        return new NextHop(link, 1, 0, Optional.of(gateway), List.of());
    }

    /** {@code via 10.1.0.3 dev 3 weight 1}. */
    @Override
    public String toString() {
        String router = gateway.map(ip -> "via " + ip + " ").orElse("");
        String marks = flags == 0 ? "" : " flags 0x" + Integer.toHexString(flags);
        return router + "dev " + link + " weight " + weight + marks;
    }
}
