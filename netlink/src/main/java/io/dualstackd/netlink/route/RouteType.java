package io.dualstackd.netlink.route;

/**
 * The effect of a route on a packet.
 *
 * @param number {@code RTN_*} of {@code linux/rtnetlink.h}, 0 to 255
 */
public record RouteType(int number) {
    public static final RouteType UNICAST = new RouteType(1);
    /** Delivered to this host. */
    public static final RouteType LOCAL = new RouteType(2);

    public static final RouteType BROADCAST = new RouteType(3);
    /** Dropped silently. */
    public static final RouteType BLACKHOLE = new RouteType(6);
    /** Refused with ICMP "host unreachable". */
    public static final RouteType UNREACHABLE = new RouteType(7);

    public RouteType {
        if (number < 0 || number > 255) {
            throw new IllegalArgumentException("route type " + number + " is not in 0..255");
        }
    }

    @Override
    public String toString() {
        return switch (number) {
            case 0 -> "unspecified";
            case 1 -> "unicast";
            case 2 -> "local";
            case 3 -> "broadcast";
            case 4 -> "anycast";
            case 5 -> "multicast";
            case 6 -> "blackhole";
            case 7 -> "unreachable";
            case 8 -> "prohibit";
            case 9 -> "throw";
            default -> Integer.toString(number);
        };
    }
}
