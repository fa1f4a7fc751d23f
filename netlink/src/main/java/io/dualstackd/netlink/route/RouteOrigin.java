package io.dualstackd.netlink.route;

/**
 * The origin of a route.
 *
 * @param number {@code RTPROT_*} of {@code linux/rtnetlink.h}, 0 to 255
 */
public record RouteOrigin(int number) {
    public static final RouteOrigin UNSPECIFIED = new RouteOrigin(0);
    public static final RouteOrigin KERNEL = new RouteOrigin(2);
    public static final RouteOrigin BOOT = new RouteOrigin(3);
    public static final RouteOrigin STATIC = new RouteOrigin(4);
    /** Created by an IPv6 router advertisement. */
    public static final RouteOrigin ROUTER_ADVERTISEMENT = new RouteOrigin(9);

    public static final RouteOrigin DHCP = new RouteOrigin(16);

    public RouteOrigin {
        if (number < 0 || number > 255) {
            throw new IllegalArgumentException("route origin " + number + " is not in 0..255");
        }
    }

    @Override
    public String toString() {
        return switch (number) {
            case 0 -> "unspecified";
            case 2 -> "kernel";
            case 3 -> "boot";
            case 4 -> "static";
            case 9 -> "ra";
            case 16 -> "dhcp";
            default -> Integer.toString(number);
        };
    }
}
