package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.IpPort;
import java.util.Set;

/**
 * One endpoint of a service port, merged over all its slices.
 *
 * @param ready takes new connections
 * @param serving its pod is ready, terminating or not
 * @param terminating its pod is being deleted
 * @param local runs on this node
 * @param zoneHints zones it should serve; empty for no hint
 * @param nodeHints nodes it should serve; empty for no hint
 */
public record Endpoint(
        IpPort address,
        boolean ready,
        boolean serving,
        boolean terminating,
        boolean local,
        Set<String> zoneHints,
        Set<String> nodeHints) {
    public Endpoint {
        zoneHints = Set.copyOf(zoneHints);
        nodeHints = Set.copyOf(nodeHints);
    }

    /** A ready endpoint of another node, without hints. */
    public static Endpoint ready(IpPort address) {
        return new Endpoint(address, true, true, false, false, Set.of(), Set.of());
    }

    /** Not ready any more, but still able to serve when no ready endpoint is left. */
    public boolean servingTerminating() {
        return serving && terminating;
    }
}
