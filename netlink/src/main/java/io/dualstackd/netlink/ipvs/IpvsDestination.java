package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.ip.IpPort;

/**
 * A place a virtual server sends to.
 *
 * @param forwarding {@code IP_VS_CONN_F_*}: {@link #MASQUERADE}, a tunnel, …
 * @param weight share of new connections; 0 gets none, but keeps those it has
 * @param upper how many connections make it full; 0 never
 * @param lower how many connections make it take some again; 0 is three quarters of {@code upper}
 */
public record IpvsDestination(IpPort address, int forwarding, int weight, int upper, int lower) {
    /** {@code IP_VS_CONN_F_MASQ}: addresses are translated, both ways. */
    public static final int MASQUERADE = 0;

    /** {@code IP_VS_CONN_F_FWD_MASK}: the bits of {@code forwarding} that count. */
    static final int FORWARDING_MASK = 7;

    public IpvsDestination {
        if (weight < 0) {
            throw new IllegalArgumentException("weight " + weight + " of " + address + " is negative");
        }
        forwarding &= FORWARDING_MASK;
    }

    /** Addresses are translated, without limits. */
    public static IpvsDestination of(IpPort address, int weight) {
        return new IpvsDestination(address, MASQUERADE, weight, 0, 0);
    }

    @Override
    public String toString() {
        return address + " weight " + weight + (forwarding == MASQUERADE ? "" : " forwarding " + forwarding);
    }

    /**
     * One the kernel lists.
     *
     * @param active connections under way
     * @param inactive connections that end, or never began
     * @param persistent clients that stay with it
     */
    public record Listed(IpvsDestination destination, int active, int inactive, int persistent) {}
}
