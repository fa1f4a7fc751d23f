package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.stream.Stream;

/**
 * The flow matrix: three load-balancer Services with one local and one remote endpoint each, A plain, B with
 * {@code externalTrafficPolicy: Local}, C with {@code internalTrafficPolicy: Local}; who reaches which endpoint, and who is
 * masqueraded, under every combination of the settings that matter.
 */
final class FlowMatrix {
    private static final String WITH_DETECTOR = """
            POD    → ClusterIP   | L1 R1   | L1 R1   | L1
            POD    → node port   | L1* R1* | L1 R1   | L1* R1*
            POD    → VIP         | L1* R1* | L1 R1   | L1* R1*
            POD    → external IP | L1* R1* | L1 R1   | L1* R1*
            NODE   → ClusterIP   | L1* R1* | L1* R1* | L1*
            NODE   → node port   | L1* R1* | L1* R1* | L1* R1*
            NODE   → VIP         | L1* R1* | L1* R1* | L1* R1*
            NODE   → external IP | L1* R1* | L1* R1* | L1* R1*
            CLIENT → ClusterIP   | L1* R1* | L1* R1* | L1*
            CLIENT → node port   | L1* R1* | L1      | L1* R1*
            CLIENT → VIP         | L1* R1* | L1      | L1* R1*
            CLIENT → external IP | L1* R1* | L1      | L1* R1*
            """;
    private static final String WITHOUT_DETECTOR = """
            POD    → ClusterIP   | L1 R1   | L1 R1   | L1
            POD    → node port   | L1* R1* | L1      | L1* R1*
            POD    → VIP         | L1* R1* | L1      | L1* R1*
            POD    → external IP | L1* R1* | L1      | L1* R1*
            NODE   → ClusterIP   | L1 R1   | L1 R1   | L1
            NODE   → node port   | L1* R1* | L1* R1* | L1* R1*
            NODE   → VIP         | L1* R1* | L1* R1* | L1* R1*
            NODE   → external IP | L1* R1* | L1* R1* | L1* R1*
            CLIENT → ClusterIP   | L1 R1   | L1 R1   | L1
            CLIENT → node port   | L1* R1* | L1      | L1* R1*
            CLIENT → VIP         | L1* R1* | L1      | L1* R1*
            CLIENT → external IP | L1* R1* | L1      | L1* R1*
            """;
    private static final String WITH_DETECTOR_MASQUERADE_ALL = """
            POD    → ClusterIP   | L1* R1* | L1* R1* | L1*
            POD    → node port   | L1* R1* | L1 R1   | L1* R1*
            POD    → VIP         | L1* R1* | L1 R1   | L1* R1*
            POD    → external IP | L1* R1* | L1 R1   | L1* R1*
            NODE   → ClusterIP   | L1* R1* | L1* R1* | L1*
            NODE   → node port   | L1* R1* | L1* R1* | L1* R1*
            NODE   → VIP         | L1* R1* | L1* R1* | L1* R1*
            NODE   → external IP | L1* R1* | L1* R1* | L1* R1*
            CLIENT → ClusterIP   | L1* R1* | L1* R1* | L1*
            CLIENT → node port   | L1* R1* | L1      | L1* R1*
            CLIENT → VIP         | L1* R1* | L1      | L1* R1*
            CLIENT → external IP | L1* R1* | L1      | L1* R1*
            """;
    private static final String WITHOUT_DETECTOR_MASQUERADE_ALL = """
            POD    → ClusterIP   | L1* R1* | L1* R1* | L1*
            POD    → node port   | L1* R1* | L1      | L1* R1*
            POD    → VIP         | L1* R1* | L1      | L1* R1*
            POD    → external IP | L1* R1* | L1      | L1* R1*
            NODE   → ClusterIP   | L1* R1* | L1* R1* | L1*
            NODE   → node port   | L1* R1* | L1* R1* | L1* R1*
            NODE   → VIP         | L1* R1* | L1* R1* | L1* R1*
            NODE   → external IP | L1* R1* | L1* R1* | L1* R1*
            CLIENT → ClusterIP   | L1* R1* | L1* R1* | L1*
            CLIENT → node port   | L1* R1* | L1      | L1* R1*
            CLIENT → VIP         | L1* R1* | L1      | L1* R1*
            CLIENT → external IP | L1* R1* | L1      | L1* R1*
            """;

    private FlowMatrix() {}

    static Stream<Scenario> scenarios(LabMap map) {
        LocalDetector byAddress = new LocalDetector.SourceIn(map.pods());
        LocalDetector byPrefix = new LocalDetector.FromInterfacePrefix(LabMap.POD_LINK_PREFIX);
        LocalDetector byName = new LocalDetector.FromBridge(LabMap.POD_LINK_PREFIX + "pod");
        return Stream.of(
                scenario("flows", map, map.nodeBuilder().detector(byAddress), WITH_DETECTOR),
                scenario(
                        "flows, pods by interface prefix",
                        map,
                        map.nodeBuilder().detector(byPrefix),
                        WITH_DETECTOR),
                scenario("flows, pods by bridge", map, map.nodeBuilder().detector(byName), WITH_DETECTOR),
                scenario("flows, no detector", map, map.nodeBuilder(), WITHOUT_DETECTOR),
                scenario(
                        "flows, masquerade all",
                        map,
                        map.nodeBuilder().detector(byAddress).masqueradeAll(true),
                        WITH_DETECTOR_MASQUERADE_ALL),
                scenario(
                        "flows, no detector, masquerade all",
                        map,
                        map.nodeBuilder().masqueradeAll(true),
                        WITHOUT_DETECTOR_MASQUERADE_ALL));
    }

    private static Scenario scenario(String name, LabMap map, NodeViewBuilder node, String table) {
        Scenario.Builder scenario = Scenario.named(name, map, node.view())
                .service(Services.on(map, Services.everything(map, "A", 1), "L1, R1"))
                .service(Services.on(map, Services.everything(map, "B", 2), "L1, R1")
                        .externalLocal())
                .service(Services.on(map, Services.everything(map, "C", 3), "L1, R1")
                        .internalLocal());
        table.lines().forEach(line -> row(scenario, map, line));
        return scenario.build();
    }

    private static void row(Scenario.Builder scenario, LabMap map, String line) {
        List<String> cells =
                Stream.of(line.split("[→|]", -1)).map(String::strip).toList();
        Sender from = Sender.valueOf(cells.get(0));
        for (int service = 1; service <= 3; service++) {
            Ip destination = switch (cells.get(1)) {
                case "ClusterIP" -> map.clusterIp(service);
                case "node port" -> map.node();
                case "VIP" -> map.vip(service);
                case "external IP" -> map.externalIp(service);
                default -> throw new IllegalArgumentException(line);
            };
            int port = destination.equals(map.node()) ? 30000 + service : 80;
            scenario.both(
                    from, cells.get(1) + " of " + "ABC".charAt(service - 1), destination, port, cells.get(1 + service));
        }
    }
}
