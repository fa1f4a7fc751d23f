package io.dualstackd.dataplane.packets;

import static io.dualstackd.dataplane.packets.Sender.CLIENT;
import static io.dualstackd.dataplane.packets.Sender.NODE;
import static io.dualstackd.dataplane.packets.Sender.POD;

import java.util.stream.Stream;

/** Which endpoints serve while others terminate, under {@code externalTrafficPolicy} Local and Cluster. */
final class Terminating {
    private Terminating() {}

    static Stream<Scenario> scenarios(LabMap map) {
        return Stream.of(
                local("terminating, some ready everywhere", map, "L1, L2, L3 T, L4 X, R1", "L1 L2 R1", "L1 L2"),
                local("terminating, here only terminating", map, "L2 T, L3 T, L4 X, R1", "R1", "L2 L3"),
                local("terminating, only elsewhere", map, "R1 T", "R1", "silence"),
                local("terminating, none serves", map, "L1 X, R1 X", "refused", "refused"),
                cluster("terminating, Cluster, some ready", map, "L1, L2 T, R1, R2 T", "L1 R1"),
                cluster("terminating, Cluster, none ready", map, "L1 T, L2 X, R1 T, R2 u", "L1 R1"));
    }

    private static Scenario local(String name, LabMap map, String pods, String clusterIp, String fromOutside) {
        return start(name, map)
                .service(Services.on(map, Services.everything(map, "ending", 1), pods)
                        .externalLocal())
                .tcp(POD, "ClusterIP", map.clusterIp(1), 80, clusterIp)
                .tcp(POD, "VIP", map.vip(1), 80, clusterIp)
                .both(CLIENT, "VIP", map.vip(1), 80, fromOutside)
                .tcp(CLIENT, "external IP", map.externalIp(1), 80, fromOutside)
                .tcp(CLIENT, "node port", map.node(), 30001, fromOutside)
                .build();
    }

    private static Scenario cluster(String name, LabMap map, String pods, String expected) {
        String masqueraded = expected.replaceAll("(\\w+)", "$1*");
        return start(name, map)
                .service(Services.on(map, Services.everything(map, "ending", 1), pods))
                .tcp(POD, "ClusterIP", map.clusterIp(1), 80, expected)
                .tcp(NODE, "VIP", map.vip(1), 80, masqueraded)
                .tcp(CLIENT, "VIP", map.vip(1), 80, masqueraded)
                .build();
    }

    private static Scenario.Builder start(String name, LabMap map) {
        return Scenario.named(
                name, map, map.nodeBuilder().podsIn(map.pods().toString()).view());
    }
}
