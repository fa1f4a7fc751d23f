package io.dualstackd.dataplane.counters;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.Collection;
import java.util.Optional;

/**
 * How many connections each destination of Services has had, in one family. The kernel counts the first packet of each connection; its
 * counters are read when asked, and at no other time. Safe for use by several threads.
 */
public interface ConnectionCounts {
    IpFamily family();

    /** Reads all counters of the kernel; returns why that failed, and then the last values stay. Blocks until the kernel has answered. */
    Optional<String> refresh();

    /** The attempts to reach a port of a ClusterIP, as last read. */
    Attempts clusterIp(Ip address, Proto protocol, int port);

    /** The attempts to reach a port of an external IP or a load-balancer IP, as last read. */
    Attempts external(Ip address, Proto protocol, int port);

    /** The attempts to reach a node port on any address of the node, as last read. */
    Attempts nodePort(Proto protocol, int port);

    /**
     * The attempts to reach any destination, as last read, those of Services that are gone included. Connections are those to
     * destinations that had an endpoint somewhere; some of them are among the dropped, too.
     */
    Attempts total();

    /**
     * Reads how many connections each of these endpoints has had, where the kernel counts them. The cost depends on how many are asked
     * for. Blocks until the kernel has answered.
     *
     * @param wanted with all endpoints of each port
     */
    default EndpointCounts endpoints(Collection<CountedEndpoint> wanted) {
        return EndpointCounts.NONE;
    }
}
