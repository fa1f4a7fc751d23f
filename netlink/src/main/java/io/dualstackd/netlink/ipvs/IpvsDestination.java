package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.ip.IpPort;

/**
 * A destination of a virtual server.
 *
 * @param forwarding {@code IP_VS_CONN_F_*}: {@link #MASQUERADE}, a tunnel, …
 * @param weight share of new connections; with 0 it gets none, but keeps its existing ones
 * @param upper number of connections at which it is full; 0 means never
 * @param lower number of connections at which it accepts new ones again; 0 is three quarters of {@code upper}
 */
public record IpvsDestination(IpPort address, int forwarding, int weight, int upper, int lower) {
    /** {@code IP_VS_CONN_F_MASQ}: addresses are translated, both ways. */
    public static final int MASQUERADE = 0;

    /** {@code IP_VS_CONN_F_FWD_MASK}: the bits of {@code forwarding} that select the method. */
    static final int FORWARDING_MASK = 7;

    public IpvsDestination {
        if (weight < 0) {
            throw new IllegalArgumentException("weight " + weight + " of " + address + " is negative");
        }
        forwarding &= FORWARDING_MASK;
    }

    /** Returns a destination with address translation and without limits. */
    public static IpvsDestination of(IpPort address, int weight) {
        return new IpvsDestination(address, MASQUERADE, weight, 0, 0);
    }

    @Override
    public String toString() {
        return address + " weight " + weight + (forwarding == MASQUERADE ? "" : " forwarding " + forwarding);
    }

    /**
     * A destination listed by the kernel.
     *
     * @param active established connections
     * @param inactive connections that are ending, or were never established
     * @param persistent clients that stay with this destination
     */
    public record Listed(IpvsDestination destination, int active, int inactive, int persistent) {}
}
