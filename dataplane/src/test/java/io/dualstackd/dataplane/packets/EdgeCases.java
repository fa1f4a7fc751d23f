package io.dualstackd.dataplane.packets;

import static io.dualstackd.dataplane.packets.Sender.CLIENT;
import static io.dualstackd.dataplane.packets.Sender.L1;
import static io.dualstackd.dataplane.packets.Sender.NODE;
import static io.dualstackd.dataplane.packets.Sender.POD;
import static io.dualstackd.dataplane.packets.Sender.R1;

import java.util.stream.Stream;

/** No endpoints, none on this node, an endpoint that connects to itself, unknown ports. */
final class EdgeCases {
    private EdgeCases() {}

    static Stream<Scenario> scenarios(LabMap map) {
        return Stream.of(
                noEndpoints(map),
                noneHere(map),
                hairpin(map),
                hairpinWithoutDetector(map),
                unknownPorts(map),
                unknownAddresses(map),
                portOfTwoServices(map));
    }

    /** What the node itself sends to an external address without endpoints leaves the node in iptables mode: OUTPUT is not asked. */
    private static Scenario noEndpoints(LabMap map) {
        Scenario.Builder scenario = start("no endpoints", map)
                .service(Services.on(map, Services.everything(map, "empty", 1), "R1 u, L1 u"))
                .heldByNode(map.vip(9))
                .service(Services.on(
                        map,
                        Services.clusterIp(map, "held", 9)
                                .loadBalancerIps(map.vip(9).toString()),
                        ""));
        for (Sender from : new Sender[] {POD, CLIENT}) {
            scenario.both(from, "ClusterIP", map.clusterIp(1), 80, "refused")
                    .both(from, "node port", map.node(), 30001, "refused")
                    .both(from, "VIP", map.vip(1), 80, "refused")
                    .both(from, "VIP held by the node", map.vip(9), 80, "refused")
                    .both(from, "external IP", map.externalIp(1), 80, "refused");
        }
        return scenario.both(NODE, "ClusterIP", map.clusterIp(1), 80, "refused")
                .both(NODE, "node port", map.node(), 30001, "refused")
                .both(NODE, "VIP held by the node", map.vip(9), 80, "refused")
                .both(NODE, "VIP", map.vip(1), 80, "unserved", "refused")
                .both(NODE, "external IP", map.externalIp(1), 80, "unserved", "refused")
                .build();
    }

    private static Scenario noneHere(LabMap map) {
        return start("none here", map)
                .service(Services.on(map, Services.everything(map, "elsewhere", 1), "R1, L1 u")
                        .internalLocal()
                        .externalLocal())
                .both(POD, "ClusterIP", map.clusterIp(1), 80, "silence")
                .both(NODE, "ClusterIP", map.clusterIp(1), 80, "silence")
                .tcp(CLIENT, "ClusterIP", map.clusterIp(1), 80, "silence")
                .both(CLIENT, "node port", map.node(), 30001, "silence")
                .both(CLIENT, "VIP", map.vip(1), 80, "silence")
                .both(CLIENT, "external IP", map.externalIp(1), 80, "silence")
                .tcp(POD, "node port", map.node(), 30001, "R1")
                .tcp(POD, "VIP", map.vip(1), 80, "R1")
                .tcp(POD, "external IP", map.externalIp(1), 80, "R1")
                .tcp(NODE, "node port", map.node(), 30001, "R1*")
                .tcp(NODE, "VIP", map.vip(1), 80, "R1*")
                .tcp(NODE, "external IP", map.externalIp(1), 80, "R1*")
                .build();
    }

    private static Scenario hairpin(LabMap map) {
        return start("hairpin", map)
                .service(Services.on(map, Services.everything(map, "self", 1), "L1")
                        .externalLocal())
                .service(Services.on(map, Services.everything(map, "both", 2), "L1, L2, R1"))
                .both(L1, "ClusterIP, alone", map.clusterIp(1), 80, "L1*")
                .both(L1, "VIP, alone, Local", map.vip(1), 80, "L1*")
                .tcp(L1, "node port, alone, Local", map.node(), 30001, "L1*")
                .both(L1, "ClusterIP", map.clusterIp(2), 80, "L1* L2 R1")
                .tcp(L1, "external IP", map.externalIp(2), 80, "L1* L2* R1*")
                .build();
    }

    private static Scenario hairpinWithoutDetector(LabMap map) {
        return Scenario.named("hairpin, no detector", map, map.nodeBuilder().view())
                .service(Services.on(map, Services.everything(map, "self", 1), "L1, R1")
                        .externalLocal())
                .tcp(L1, "ClusterIP", map.clusterIp(1), 80, "L1* R1")
                .tcp(L1, "VIP", map.vip(1), 80, "L1*")
                .tcp(R1, "VIP", map.vip(1), 80, "L1")
                .build();
    }

    private static Scenario unknownPorts(LabMap map) {
        return start("unknown ports", map)
                .service(Services.on(map, Services.everything(map, "known", 1), "L1"))
                .both(POD, "ClusterIP, wrong port", map.clusterIp(1), 81, "unserved", "refused")
                .tcp(CLIENT, "VIP, wrong port", map.vip(1), 81, "unserved")
                .tcp(CLIENT, "node port number on a VIP", map.vip(1), 30001, "unserved")
                .tcp(CLIENT, "port 80 on the node", map.node(), 80, "unserved")
                .build();
    }

    private static Scenario unknownAddresses(LabMap map) {
        return Scenario.named(
                        "unknown addresses",
                        map,
                        map.nodeBuilder()
                                .podsIn(map.pods().toString())
                                .serviceCidrs(map.serviceCidr().toString())
                                .view())
                .service(Services.on(map, Services.everything(map, "known", 1), "L1"))
                .tcp(POD, "ClusterIP", map.clusterIp(1), 80, "L1")
                .both(POD, "ClusterIP, wrong port", map.clusterIp(1), 81, "unserved", "refused")
                .both(POD, "unknown ClusterIP", map.clusterIp(77), 80, "unserved", "silence")
                .both(NODE, "unknown ClusterIP", map.clusterIp(77), 80, "unserved", "silence")
                .build();
    }

    /** Two Services have the node's address with one port; what the first refuses for want of endpoints, the node port of the second serves. */
    private static Scenario portOfTwoServices(LabMap map) {
        return start("port of two Services", map)
                .service(Services.on(
                        map,
                        Services.clusterIp(map, "a-dead", 2)
                                .port(30001)
                                .externalIps(map.node().toString()),
                        ""))
                .service(Services.on(map, Services.everything(map, "other", 1), "L1, R1"))
                .both(POD, "node port", map.node(), 30001, "L1* R1*")
                .both(CLIENT, "node port", map.node(), 30001, "L1* R1*")
                .both(NODE, "node port", map.node(), 30001, "L1* R1*")
                .both(CLIENT, "ClusterIP of the first", map.clusterIp(2), 30001, "refused")
                .build();
    }

    private static Scenario.Builder start(String name, LabMap map) {
        return Scenario.named(
                name, map, map.nodeBuilder().podsIn(map.pods().toString()).view());
    }
}
