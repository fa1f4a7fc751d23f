package io.dualstackd.dataplane.plan;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/**
 * The node's own address in each family. A family without one has its loopback address, which always means "unknown".
 *
 * @param primary the family the node is addressed by when it has two
 */
public record NodeIpPair(IpFamily primary, Ip v4, Ip v6) {
    private static final Ip LOCALHOST_V4 = new Ip.V4(0x7f000001);
    private static final Ip LOCALHOST_V6 = new Ip.V6(0, 1);

    public NodeIpPair {
        if (v4.family() != IpFamily.IPV4 || v6.family() != IpFamily.IPV6) {
            throw new IllegalArgumentException(
                    "families mixed up: " + v4 + " is no IPv4 or " + v6 + " no IPv6 address");
        }
    }

    /**
     * Detects the addresses.
     *
     * @param ofNode addresses of the Node object, primary first, at most one per family; empty when it is unknown
     * @param bindAddress the configured {@code bindAddress}: unless unspecified it overrides its family's address and the primary
     *     family
     */
    public static NodeIpPair detect(List<Ip> ofNode, Ip bindAddress) {
        NodeIpPair ips = new NodeIpPair(IpFamily.IPV4, LOCALHOST_V4, LOCALHOST_V6);
        for (Ip ip : ofNode.reversed()) {
            ips = ips.withPrimary(ip);
        }
        return bindAddress.isUnspecified() ? ips : ips.withPrimary(bindAddress);
    }

    /** The address of {@code family}; loopback when unknown. */
    public Ip of(IpFamily family) {
        return family == IpFamily.IPV4 ? v4 : v6;
    }

    private NodeIpPair withPrimary(Ip ip) {
        return ip.family() == IpFamily.IPV4
                ? new NodeIpPair(IpFamily.IPV4, ip, v6)
                : new NodeIpPair(IpFamily.IPV6, v4, ip);
    }
}
