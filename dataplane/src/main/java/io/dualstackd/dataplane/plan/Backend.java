package io.dualstackd.dataplane.plan;

import io.dualstackd.netlink.ip.IpPort;

/**
 * An endpoint that was chosen.
 *
 * @param local runs on this node
 */
public record Backend(IpPort address, boolean local) {}
