package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.ip.IpFamily;

/**
 * The form of a family's table, which is decided when the daemon starts.
 *
 * @param countsEndpoints whether the kernel counts the connections to each endpoint, at its elements and in its chain for session affinity
 */
public record TableForm(IpFamily family, boolean countsEndpoints) {
    /** The usual form: connections are counted for each destination only. */
    public static TableForm plain(IpFamily family) {
        return new TableForm(family, false);
    }

    /** The form that also counts connections for each endpoint. */
    public static TableForm countingEndpoints(IpFamily family) {
        return new TableForm(family, true);
    }
}
