package io.dualstackd.bench.latency;

import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;

/**
 * The path of a connection: a client pod, its node, and one machine that simulates all other pods:
 *
 * <pre>
 *   client ── node ── pods
 * </pre>
 */
final class Path implements AutoCloseable {
    /** The number of pods that answer, from number 0 on. */
    static final int PODS = 100;

    private static final int CLIENT = PODS;

    private final Machine client = new Machine();
    private final Machine node = new Machine();
    private final Machine pods = new Machine();

    Path() throws IOException, NetlinkException {
        node.forward();
        node.cable("client", client, "eth0");
        node.cable("pods", pods, "eth0");
        for (IpFamily family : IpFamily.values()) {
            Ip gateway = Ip.parse(family == IpFamily.IPV4 ? "192.0.2.10" : "2001:db8::10");
            IpPrefix itself = IpPrefix.host(gateway);
            // On both links: in IPv6, neighbour discovery is answered only by a machine that has the address.
            node.address("client", gateway);
            node.address("pods", gateway);
            client.address("eth0", Nodes.podIp(family, CLIENT));
            node.neighbours(IpPrefix.host(Nodes.podIp(family, CLIENT)), "client");
            client.neighbours(itself, "eth0");
            client.defaultRoute(gateway);
            for (int n = 0; n < PODS; n++) {
                pods.address("eth0", Nodes.podIp(family, n));
                node.neighbours(IpPrefix.host(Nodes.podIp(family, n)), "pods");
            }
            pods.neighbours(itself, "eth0");
            pods.defaultRoute(gateway);
        }
    }

    NetNs client() {
        return client.ns();
    }

    NetNs node() {
        return node.ns();
    }

    NetNs pods() {
        return pods.ns();
    }

    @Override
    public void close() {
        client.close();
        node.close();
        pods.close();
    }
}
