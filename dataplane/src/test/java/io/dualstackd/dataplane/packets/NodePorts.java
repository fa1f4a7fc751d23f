package io.dualstackd.dataplane.packets;

import static io.dualstackd.dataplane.packets.Sender.CLIENT;
import static io.dualstackd.dataplane.packets.Sender.NODE;
import static io.dualstackd.dataplane.packets.Sender.NODE_LOOPBACK;
import static io.dualstackd.dataplane.packets.Sender.POD;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.stream.Stream;

/** On which of the node's addresses a node port answers. A process of the node listens behind it on all of them. */
final class NodePorts {
    static final int PORT = 3001;

    private NodePorts() {}

    static Stream<Scenario> scenarios(LabMap map) {
        return Stream.of(
                primary(map), within(map), all(map), otherFamilyOnly(map), withLocalhost(map), withoutEndpoints(map));
    }

    private static Scenario primary(LabMap map) {
        return start("node ports, primary", map, map.nodeBuilder().nodePortsOn(NodePortAddresses.PRIMARY), "L1, R1")
                .both(CLIENT, "first address", map.node(), PORT, "L1* R1*")
                .both(CLIENT, "second address", map.secondNode(), PORT, "host")
                .tcp(POD, "first address", map.node(), PORT, "L1* R1*")
                .tcp(POD, "second address", map.secondNode(), PORT, "host")
                .tcp(NODE, "first address", map.node(), PORT, "L1* R1*")
                .tcp(NODE, "second address", map.secondNode(), PORT, "host")
                .tcp(NODE_LOOPBACK, "loopback", map.loopback(), PORT, "host")
                .build();
    }

    private static Scenario within(LabMap map) {
        NodeViewBuilder node =
                map.nodeBuilder().nodePortsIn("192.168.0.0/24", "192.168.1.0/24", "2001:db8::/64", "2001:db8:1::2/128");
        return start("node ports, networks", map, node, "L1, R1")
                .both(CLIENT, "first address", map.node(), PORT, "L1* R1*")
                .both(CLIENT, "second address", map.secondNode(), PORT, "L1* R1*")
                .tcp(NODE, "second address", map.secondNode(), PORT, "L1* R1*")
                .tcp(POD, "address outside", map.nodeOnRack(), PORT, "host")
                .tcp(NODE_LOOPBACK, "loopback", map.loopback(), PORT, "host")
                .build();
    }

    private static Scenario all(LabMap map) {
        return start("node ports, all", map, map.nodeBuilder(), "L1, R1")
                .tcp(CLIENT, "first address", map.node(), PORT, "L1* R1*")
                .tcp(CLIENT, "second address", map.secondNode(), PORT, "L1* R1*")
                .tcp(POD, "address on the rack", map.nodeOnRack(), PORT, "L1* R1*")
                .tcp(POD, "gateway", map.gateway(), PORT, "L1* R1*")
                .tcp(NODE_LOOPBACK, "loopback", map.loopback(), PORT, "host")
                .build();
    }

    /** A list that says nothing about a family leaves it unrestricted. */
    private static Scenario otherFamilyOnly(LabMap map) {
        String other = map.family() == IpFamily.IPV4 ? "2001:db8::/64" : "192.168.0.0/24";
        return start(
                        "node ports, networks of the other family",
                        map,
                        map.nodeBuilder().nodePortsIn(other),
                        "L1, R1")
                .tcp(CLIENT, "first address", map.node(), PORT, "L1* R1*")
                .tcp(CLIENT, "second address", map.secondNode(), PORT, "L1* R1*")
                .build();
    }

    /** Only iptables mode and only IPv4 know node ports on loopback addresses. */
    private static Scenario withLocalhost(LabMap map) {
        String onLoopback = map.family() == IpFamily.IPV4 ? "L1* R1*" : "host";
        return start("node ports, localhost", map, map.nodeBuilder().localhostNodePorts(true), "L1, R1")
                .both(NODE_LOOPBACK, "loopback", map.loopback(), PORT, onLoopback, onLoopback)
                .tcp(CLIENT, "first address", map.node(), PORT, "L1* R1*")
                .build();
    }

    /** iptables mode refuses the port on every address, nftables mode where the node port would answer. */
    private static Scenario withoutEndpoints(LabMap map) {
        return start(
                        "node ports, primary, no endpoints",
                        map,
                        map.nodeBuilder().nodePortsOn(NodePortAddresses.PRIMARY),
                        "")
                .both(CLIENT, "first address", map.node(), PORT, "refused")
                .both(POD, "first address", map.node(), PORT, "refused")
                .both(NODE, "first address", map.node(), PORT, "refused")
                .both(CLIENT, "second address", map.secondNode(), PORT, "refused", "host")
                .build();
    }

    private static Scenario.Builder start(String name, LabMap map, NodeViewBuilder node, String pods) {
        return Scenario.named(name, map, node.podsIn(map.pods().toString()).view())
                .service(Services.on(map, Services.clusterIp(map, "ported", 1).nodePort(PORT), pods));
    }
}
