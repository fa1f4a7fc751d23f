package io.dualstackd.netlink.route;

/** Message types and multicast groups of {@code linux/rtnetlink.h}. */
public final class RouteMessages {
    public static final int NEWLINK = 16;
    public static final int DELLINK = 17;
    public static final int GETLINK = 18;
    public static final int SETLINK = 19;
    public static final int NEWADDR = 20;
    public static final int DELADDR = 21;
    public static final int GETADDR = 22;
    public static final int NEWROUTE = 24;
    public static final int DELROUTE = 25;
    public static final int GETROUTE = 26;
    public static final int GETRULE = 34;
    public static final int NEWNEXTHOP = 104;
    public static final int DELNEXTHOP = 105;
    public static final int GETNEXTHOP = 106;

    /** {@code RTNLGRP_LINK}: links of this namespace. */
    public static final int GROUP_LINK = 1;
    /** {@code RTNLGRP_IPV4_IFADDR}. */
    public static final int GROUP_IPV4_ADDRESS = 5;
    /** {@code RTNLGRP_IPV4_ROUTE}. */
    public static final int GROUP_IPV4_ROUTE = 7;
    /** {@code RTNLGRP_IPV6_IFADDR}. */
    public static final int GROUP_IPV6_ADDRESS = 9;
    /** {@code RTNLGRP_IPV6_ROUTE}. */
    public static final int GROUP_IPV6_ROUTE = 11;
    /** {@code RTNLGRP_NEXTHOP}. */
    public static final int GROUP_NEXTHOP = 32;

    private RouteMessages() {}
}
