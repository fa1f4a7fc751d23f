package io.dualstackd.dataplane.plan;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;

/**
 * The first packet of a connection as it arrives at the node.
 *
 * @param port destination port, 1 to 65535
 */
public record Packet(Ip source, Origin origin, Ip destination, Proto protocol, int port) {

    /** Where the packet comes from. */
    public sealed interface Origin {
        /** A process of the node itself, or a pod on the host network. */
        record ThisNode() implements Origin {}

        /** It came in through the interface {@code name}: from a pod of this node or from outside. */
        record Interface(String name) implements Origin {}
    }

    public Packet {
        if (source.family() != destination.family()) {
            throw new IllegalArgumentException("a packet from " + source + " cannot go to " + destination);
        }
    }
}
