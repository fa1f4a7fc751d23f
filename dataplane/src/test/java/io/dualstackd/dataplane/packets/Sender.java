package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.netlink.ip.Ip;

/** The host that starts a connection in the laboratory. */
public enum Sender {
    /** A local pod that serves nothing. */
    POD,
    /** The first local pod that serves. */
    L1,
    /** A process of the node, from the node's own IP. */
    NODE,
    /** A process of the node, from its loopback address. */
    NODE_LOOPBACK,
    /** A process of the node, from the first load-balancer address, where the node holds it. */
    NODE_AS_VIP1,
    NODE_AS_VIP2,
    /** A host behind the router. */
    CLIENT,
    /** Another address of that host, outside the allowed range of sources. */
    OTHER_CLIENT,
    /** A pod on the other node. */
    R1;

    public Ip address(LabMap map) {
        return switch (this) {
            case POD -> map.clientPod();
            case L1 -> map.localPod(1);
            case NODE -> map.node();
            case NODE_LOOPBACK -> map.loopback();
            case NODE_AS_VIP1 -> map.vip(1);
            case NODE_AS_VIP2 -> map.vip(2);
            case CLIENT -> map.client();
            case OTHER_CLIENT -> map.otherClient();
            case R1 -> map.remotePod(1);
        };
    }

    /** Where its packets meet the node. */
    public Packet.Origin origin() {
        return switch (this) {
            case POD -> new Packet.Origin.Interface(LabMap.POD_LINK_PREFIX + "pod");
            case L1 -> new Packet.Origin.Interface(LabMap.POD_LINK_PREFIX + "l1");
            case NODE, NODE_LOOPBACK, NODE_AS_VIP1, NODE_AS_VIP2 -> new Packet.Origin.ThisNode();
            case CLIENT, OTHER_CLIENT -> new Packet.Origin.Interface("uplink");
            case R1 -> new Packet.Origin.Interface("rack");
        };
    }
}
