package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An entry of a routing table ({@code struct rtmsg} and {@code RTA_*} of {@code linux/rtnetlink.h}).
 *
 * @param destination of the packets; {@code 0.0.0.0/0} or {@code ::/0} is the default route
 * @param source of the packets, for source-specific routes; length 0 matches all
 * @param tos type of service, 0 to 255; 0 matches all
 * @param table number of the table; {@link #MAIN}, {@link #LOCAL}
 * @param flags {@code RTM_F_*} and {@code RTNH_F_*}
 * @param link index of the outgoing link
 * @param gateway the next router; possibly of the other family (RFC 5549)
 * @param preferredSource the source address of locally generated packets
 * @param priority the metric: smaller wins
 * @param hops the next hops of a multipath route; {@code link} and {@code gateway} are empty then
 * @param others attributes this record has no field for, as the kernel sent them
 */
public record Route(
        IpPrefix destination,
        IpPrefix source,
        int tos,
        int table,
        RouteOrigin origin,
        Scope scope,
        RouteType type,
        int flags,
        OptionalInt link,
        Optional<Ip> gateway,
        Optional<Ip> preferredSource,
        OptionalInt priority,
        List<NextHop> hops,
        List<RawAttr> others) {
    /** {@code RT_TABLE_MAIN}. */
    public static final int MAIN = 254;
    /** {@code RT_TABLE_LOCAL}: addresses of this host, maintained by the kernel. */
    public static final int LOCAL = 255;

    private static final int NH_ID = 30;
    /** {@code RTNH_F_ONLINK}: the gateway is taken to be a neighbour, even if no local address implies it. */
    public static final int ON_LINK = 4;

    public Route {
        if (source.family() != destination.family()) {
            throw new IllegalArgumentException("a route from " + source + " cannot lead to " + destination);
        }
        if (tos < 0 || tos > 255) {
            throw new IllegalArgumentException("type of service " + tos + " is not in 0..255");
        }
        hops = List.copyOf(hops);
        others = List.copyOf(others);
    }

    /** A route in the main table to a network behind {@code gateway}. */
    public static Route via(IpPrefix destination, Ip gateway) {
        return to(destination, Scope.GLOBAL, 0, OptionalInt.empty(), Optional.of(gateway));
    }

    /** As {@link #via}, with the gateway taken to be a neighbour on {@code link} whatever the addresses are. */
    public static Route onLink(IpPrefix destination, Ip gateway, int link) {
        return to(destination, Scope.GLOBAL, ON_LINK, OptionalInt.of(link), Optional.of(gateway));
    }

    /** A route in the main table to a network whose hosts are neighbours on {@code link}. */
    public static Route dev(IpPrefix destination, int link) {
        // IPv6 has only one scope.
        Scope scope = destination.family() == IpFamily.IPV4 ? Scope.LINK : Scope.GLOBAL;
        return to(destination, scope, 0, OptionalInt.of(link), Optional.empty());
    }

    private static Route to(IpPrefix destination, Scope scope, int flags, OptionalInt link, Optional<Ip> gateway) {
        return new Route(
                destination,
                everything(destination.family()),
                0,
                MAIN,
                RouteOrigin.STATIC,
                scope,
                RouteType.UNICAST,
                flags,
                link,
                gateway,
                Optional.empty(),
                OptionalInt.empty(),
                List.of(),
                List.of());
    }

    /** The same route with a metric, as unsigned: smaller wins. */
    public Route withPriority(int metric) {
        return with(link, gateway, OptionalInt.of(metric), hops);
    }

    /** The same route with several next hops instead of one. */
    public Route withHops(List<NextHop> several) {
        return with(OptionalInt.empty(), Optional.empty(), priority, several);
    }

    private Route with(OptionalInt to, Optional<Ip> router, OptionalInt metric, List<NextHop> several) {
        return new Route(
                destination,
                source,
                tos,
                table,
                origin,
                scope,
                type,
                flags,
                to,
                router,
                preferredSource,
                metric,
                several,
                others);
    }

    static IpPrefix everything(IpFamily family) {
        return new IpPrefix(Ip.unspecified(family), 0);
    }

    /** The id of its {@link NextHopObject}, if it refers to one ({@code RTA_NH_ID}). */
    public OptionalInt nextHopObject() throws DecodeException {
        for (RawAttr attr : others) {
            if (attr.number() == NH_ID) {
                return OptionalInt.of(attr.payload().reader("RTA_NH_ID").u32());
            }
        }
        return OptionalInt.empty();
    }

    public IpFamily family() {
        return destination.family();
    }

    public boolean isDefault() {
        return destination.length() == 0;
    }

    /** {@code unicast 10.1.0.0/16 via 10.0.0.1 dev 3 table 254 origin static scope global}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(type).append(' ').append(destination);
        if (source.length() > 0) {
            text.append(" from ").append(source);
        }
        gateway.ifPresent(router -> text.append(" via ").append(router));
        link.ifPresent(index -> text.append(" dev ").append(index));
        preferredSource.ifPresent(ip -> text.append(" src ").append(ip));
        priority.ifPresent(metric -> text.append(" metric ").append(Integer.toUnsignedString(metric)));
        text.append(" table ").append(Integer.toUnsignedString(table));
        text.append(" origin ").append(origin).append(" scope ").append(scope);
        if (tos != 0) {
            text.append(" tos ").append(tos);
        }
        if (flags != 0) {
            text.append(" flags 0x").append(Integer.toHexString(flags));
        }
        hops.forEach(hop -> text.append(" nexthop ").append(hop));
        return text.toString();
    }
}
