package io.dualstackd.netlink.io;

/**
 * The kernel subsystem that a netlink socket is connected to.
 *
 * @param number {@code NETLINK_*} of {@code linux/netlink.h}
 */
public record NlProtocol(int number, String name) {
    /** Links, addresses, routes. */
    public static final NlProtocol ROUTE = new NlProtocol(0, "NETLINK_ROUTE");
    /** nf_tables, conntrack. */
    public static final NlProtocol NETFILTER = new NlProtocol(12, "NETLINK_NETFILTER");
    /** Subsystems that register by name: IPVS. */
    public static final NlProtocol GENERIC = new NlProtocol(16, "NETLINK_GENERIC");

    @Override
    public String toString() {
        return name;
    }
}
