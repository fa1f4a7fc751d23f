package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Proto;

/**
 * A port that a container declares.
 *
 * @param name may be empty
 * @param port 1 to 65535, in the pod's network
 */
public record ContainerPort(String name, int port, Proto protocol) {}
