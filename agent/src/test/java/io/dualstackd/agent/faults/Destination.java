package io.dualstackd.agent.faults;

import io.dualstackd.netlink.ip.IpFamily;

/**
 * Where clients send to. What is not a Service has an empty protocol: the parts of the rules that all Services share.
 *
 * @param ip the unspecified address of the family stands for the node's own ones: it is a node port
 * @param fromOutside about clients outside the cluster only, where those are served otherwise than pods and the node are
 */
record Destination(String ip, String protocol, int port, boolean fromOutside) implements Comparable<Destination> {
    static final Destination FRAME4 = new Destination("what all Services share, IPv4", "", 0);
    static final Destination FRAME6 = new Destination("what all Services share, IPv6", "", 0);

    Destination(String ip, String protocol, int port) {
        this(ip, protocol, port, false);
    }

    static Destination nodePort(IpFamily family, String protocol, int port) {
        return new Destination(family == IpFamily.IPV4 ? "0.0.0.0" : "::", protocol, port);
    }

    /** The same as clients outside the cluster see it. */
    Destination outside() {
        return new Destination(ip, protocol, port, true);
    }

    @Override
    public int compareTo(Destination other) {
        int order = ip.compareTo(other.ip);
        order = order == 0 ? protocol.compareTo(other.protocol) : order;
        order = order == 0 ? Integer.compare(port, other.port) : order;
        return order == 0 ? Boolean.compare(fromOutside, other.fromOutside) : order;
    }

    @Override
    public String toString() {
        return protocol.isEmpty()
                ? ip
                : (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port + "/" + protocol
                        + (fromOutside ? " from outside" : "");
    }
}
