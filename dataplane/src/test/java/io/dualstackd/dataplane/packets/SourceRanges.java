package io.dualstackd.dataplane.packets;

import static io.dualstackd.dataplane.packets.Sender.CLIENT;
import static io.dualstackd.dataplane.packets.Sender.NODE;
import static io.dualstackd.dataplane.packets.Sender.NODE_AS_VIP1;
import static io.dualstackd.dataplane.packets.Sender.NODE_AS_VIP2;
import static io.dualstackd.dataplane.packets.Sender.OTHER_CLIENT;
import static io.dualstackd.dataplane.packets.Sender.POD;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.stream.Stream;

/** {@code loadBalancerSourceRanges}: one Service, two load-balancer addresses, one endpoint. */
final class SourceRanges {
    private SourceRanges() {}

    static Stream<Scenario> scenarios(LabMap map) {
        return Stream.of(restricted(map), open(map), withoutNode(map), heldByNode(map), withoutEndpoints(map));
    }

    private static Scenario restricted(LabMap map) {
        return start(
                        "source ranges",
                        map,
                        "L1",
                        map.nodeRange().toString(),
                        map.clientRange().toString())
                .both(POD, "ClusterIP", map.clusterIp(1), 80, "L1")
                .tcp(CLIENT, "node port", map.node(), 3001, "L1*")
                .both(OTHER_CLIENT, "node port", map.node(), 3001, "L1*")
                .both(OTHER_CLIENT, "external IP", map.externalIp(1), 80, "L1*")
                .both(CLIENT, "first VIP", map.vip(1), 80, "L1*")
                .tcp(CLIENT, "second VIP", map.vip(2), 80, "L1*")
                .both(OTHER_CLIENT, "first VIP", map.vip(1), 80, "silence")
                .tcp(OTHER_CLIENT, "second VIP", map.vip(2), 80, "silence")
                .both(POD, "first VIP", map.vip(1), 80, "silence")
                .tcp(POD, "second VIP", map.vip(2), 80, "silence")
                .both(NODE, "first VIP", map.vip(1), 80, "L1*")
                .tcp(NODE, "second VIP", map.vip(2), 80, "L1*")
                .build();
    }

    private static Scenario open(LabMap map) {
        String everybody = map.family() == IpFamily.IPV4 ? "0.0.0.0/0" : "::/0";
        return start(
                        "source ranges that hold everybody",
                        map,
                        "L1",
                        map.nodeRange().toString(),
                        everybody)
                .tcp(OTHER_CLIENT, "first VIP", map.vip(1), 80, "L1*")
                .tcp(POD, "first VIP", map.vip(1), 80, "L1*")
                .tcp(NODE, "first VIP", map.vip(1), 80, "L1*")
                .build();
    }

    private static Scenario withoutNode(LabMap map) {
        return start(
                        "source ranges without the node",
                        map,
                        "L1",
                        map.clientRange().toString())
                .heldByNode(map.vip(2))
                .tcp(CLIENT, "first VIP", map.vip(1), 80, "L1*")
                .tcp(CLIENT, "second VIP, held by the node", map.vip(2), 80, "L1*")
                .both(NODE, "first VIP", map.vip(1), 80, "silence")
                .tcp(NODE_AS_VIP2, "second VIP, held by the node", map.vip(2), 80, "silence")
                .tcp(OTHER_CLIENT, "second VIP, held by the node", map.vip(2), 80, "silence")
                .build();
    }

    private static Scenario heldByNode(LabMap map) {
        return start(
                        "source ranges, addresses held by the node",
                        map,
                        "L1",
                        map.nodeRange().toString(),
                        map.clientRange().toString())
                .heldByNode(map.vip(1))
                .heldByNode(map.vip(2))
                .both(NODE_AS_VIP1, "first VIP", map.vip(1), 80, "L1*")
                .tcp(NODE_AS_VIP2, "second VIP", map.vip(2), 80, "L1*")
                .tcp(NODE, "first VIP", map.vip(1), 80, "L1*")
                .tcp(CLIENT, "first VIP", map.vip(1), 80, "L1*")
                .tcp(OTHER_CLIENT, "first VIP", map.vip(1), 80, "silence")
                .tcp(POD, "first VIP", map.vip(1), 80, "silence")
                .build();
    }

    /** Without endpoints, iptables mode refuses all clients; nftables mode checks the source first. */
    private static Scenario withoutEndpoints(LabMap map) {
        return start(
                        "source ranges without endpoints",
                        map,
                        "",
                        map.clientRange().toString())
                .both(CLIENT, "first VIP", map.vip(1), 80, "refused")
                .both(OTHER_CLIENT, "first VIP", map.vip(1), 80, "refused", "silence")
                .build();
    }

    private static Scenario.Builder start(String name, LabMap map, String pods, String... ranges) {
        NodeView node = map.nodeBuilder().podsIn(map.pods().toString()).view();
        ServiceViewBuilder service = Services.clusterIp(map, "ranged", 1)
                .nodePort(3001)
                .externalIps(map.externalIp(1).toString())
                .loadBalancerIps(map.vip(1).toString(), map.vip(2).toString())
                .sourceRanges(ranges);
        return Scenario.named(name, map, node).service(Services.on(map, service, pods));
    }
}
