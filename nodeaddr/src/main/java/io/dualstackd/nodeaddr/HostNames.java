package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;

/**
 * What the host is called.
 *
 * @param hostname of the Node's {@code Hostname} entry; may be an address as text
 * @param resolved what DNS says about the node's name, in its order; empty when it was not asked or did not answer
 */
public record HostNames(String hostname, List<Ip> resolved) {
    public HostNames {
        resolved = List.copyOf(resolved);
    }

    /** A name that nobody resolved. */
    public static HostNames of(String hostname) {
        return new HostNames(hostname, List.of());
    }
}
