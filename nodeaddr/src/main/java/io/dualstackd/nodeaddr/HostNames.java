package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;

/**
 * The name of the host and the addresses it resolves to.
 *
 * @param hostname of the Node's {@code Hostname} entry; may be an address as text
 * @param resolved the addresses DNS returned for the node's name, in its order; empty when there was no query or no answer
 */
public record HostNames(String hostname, List<Ip> resolved) {
    public HostNames {
        resolved = List.copyOf(resolved);
    }

    /** Returns a name without resolved addresses. */
    public static HostNames of(String hostname) {
        return new HostNames(hostname, List.of());
    }
}
