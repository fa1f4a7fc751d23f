package io.dualstackd.agent.e2e;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 9, 14, 15, 16 and 20: which clients are served, by which endpoint, on which port. */
interface SelectionRows {
    NodeUnderTest node();

    /** Five states of one Service, as an admin edits it. */
    @ParameterizedTest
    @EnumSource
    default void row9SourceRangesInFiveStates(LabMap map) throws Exception {
        LabService open = LabService.balanced("ranged", 9, "L1, R1");
        String accepted = "%s/32\", \"%s/128".formatted(LabMap.V4.clientPod(), LabMap.V6.clientPod());
        String node = "%s/32\", \"%s/128".formatted(LabMap.V4.node(), LabMap.V6.node());
        ranged(map, open, "L1 R1", "L1 R1", "L1 R1");
        ranged(map, allowing(open, accepted + "\", \"" + node), "silence", "L1 R1", "silence");
        ranged(map, allowing(open, "0.0.0.0/1\", \"128.0.0.0/1\", \"::/1\", \"8000::/1"), "L1 R1", "L1 R1", "L1 R1");
        ranged(map, allowing(open, "255.0.0.0/32\", \"ffff::/128"), "silence", "silence", "silence");
        ranged(map, open, "L1 R1", "L1 R1", "L1 R1");
        node().remove(open);
    }

    private static LabService allowing(LabService service, String ranges) {
        return service.spec("loadBalancerSourceRanges: [\"" + ranges + "\"]");
    }

    private void ranged(LabMap map, LabService service, String outside, String pod, String otherPod) throws Exception {
        node().put(service);
        node().await(map, Sender.CLIENT, map.vip(9), 80, Proto.TCP, outside);
        node().await(map, Sender.POD, map.vip(9), 80, Proto.TCP, pod);
        node().await(map, Sender.L1, map.vip(9), 80, Proto.TCP, otherPod);
        node().await(map, Sender.CLIENT, map.vip(9), 80, Proto.UDP, outside);
    }

    @ParameterizedTest
    @EnumSource
    default void row14AnotherProxysServiceAndAHeadlessSlice(LabMap map) throws Exception {
        LabService others =
                LabService.nodePort("others", 14, "L1").label("service.kubernetes.io/service-proxy-name", "x");
        LabService ours = LabService.nodePort("ours", 24, "L2");
        node().put(others);
        for (LabService now :
                new LabService[] {ours, ours.label("service.kubernetes.io/service-proxy-name", "x"), ours}) {
            node().put(now);
            boolean served = now.labels().isEmpty();
            reached(map, map.clusterIp(24), 80, served ? "L2" : "");
            reached(map, map.node(), 30024, served ? "L2" : "");
        }
        reached(map, map.clusterIp(14), 80, "");
        reached(map, map.node(), 30014, "");
        node().remove(others);
        node().remove(ours);

        LabService handMade = LabService.of("hand-made", 34).port("t", "TCP", 80, 0);
        String target = "{name: t, port: 8080, protocol: TCP}";
        node().put(handMade.slice("hand", target, "L1"));
        reached(map, map.clusterIp(34), 80, "L1");
        node().put(handMade.slice("hand", target, "L1", "service.kubernetes.io/headless: \"\""));
        reached(map, map.clusterIp(34), 80, "");
        node().remove(handMade);
    }

    /** Empty: by no endpoint. */
    private void reached(LabMap map, Ip to, int port, String by) {
        if (by.isEmpty()) {
            node().awaitRefused(map, Sender.POD, to, port, Proto.TCP);
        } else {
            node().await(map, Sender.POD, to, port, Proto.TCP, by);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void row15OnePortTwoProtocolsAndOneIsTakenAway(LabMap map) throws Exception {
        LabService bare = LabService.of("dual", 15).slice("all", LabService.targets(LabMap.TARGET_PORT), "L1");
        LabService tcp = bare.port("t", "TCP", 80, 0);
        LabService udp = bare.port("u", "UDP", 80, 0);
        Ip ip = map.clusterIp(15);
        node().put(tcp.port("u", "UDP", 80, 0));
        node().await(map, Sender.POD, ip, 80, Proto.TCP, "L1");
        node().await(map, Sender.POD, ip, 80, Proto.UDP, "L1");
        node().put(tcp);
        node().awaitRefused(map, Sender.POD, ip, 80, Proto.UDP);
        node().await(map, Sender.POD, ip, 80, Proto.TCP, "L1");
        node().put(udp);
        node().awaitRefused(map, Sender.POD, ip, 80, Proto.TCP);
        node().await(map, Sender.POD, ip, 80, Proto.UDP, "L1");
        node().remove(udp);
    }

    @ParameterizedTest
    @EnumSource
    default void row16NamedTargetPortsAndSeveralSlices(LabMap map) throws Exception {
        var lab = node().lab();
        try (PodServer other = PodServer.start(lab.pod(2), "L2-8000", map.localPod(2), 8000);
                PodServer first = PodServer.start(lab.pod(1), "L1-8090", map.localPod(1), 8090);
                PodServer second = PodServer.start(lab.pod(1), "L1-9091", map.localPod(1), 9091);
                PodServer third = PodServer.start(lab.pod(3), "L3-8090", map.localPod(3), 8090)) {
            LabService named = LabService.of("named", 16).port("mutable-port", "TCP", 8001, 0);
            node().put(named.slice("a", "{name: mutable-port, port: 8080, protocol: TCP}", "L1")
                    .slice("b", "{name: mutable-port, port: 8000, protocol: TCP}", "L2"));
            node().await(map, Sender.POD, map.clusterIp(16), 8001, Proto.TCP, "L1 L2-8000");
            node().remove(named);

            LabService two =
                    LabService.of("two", 26).port("port80", "TCP", 80, 0).port("port81", "TCP", 81, 0);
            String port80 = "{name: port80, port: 8090, protocol: TCP}";
            node().put(two.slice("a", port80, "L1").slice("b", "{name: port81, port: 9091, protocol: TCP}", "L1"));
            node().await(map, Sender.POD, map.clusterIp(26), 80, Proto.TCP, "L1-8090");
            node().await(map, Sender.POD, map.clusterIp(26), 81, Proto.TCP, "L1-9091");
            node().put(two.slice("a", port80, "L1").slice("b", "{name: port81, port: 8090, protocol: TCP}", "L3"));
            node().await(map, Sender.POD, map.clusterIp(26), 81, Proto.TCP, "L3-8090");
            node().await(map, Sender.POD, map.clusterIp(26), 80, Proto.TCP, "L1-8090");
            node().remove(two);
        }
    }

    /** Our node is in zone z1. */
    @ParameterizedTest
    @EnumSource
    default void row20ZoneAndNodeHints(LabMap map) throws Exception {
        String[][] stories = {
            {"one server in each zone", "L1 zone=z1, R1 zone=z2", "L1"},
            {"two servers in our zone", "L1 zone=z1, R1 zone=z1, R2 zone=z2", "L1 R1"},
            {"no hint for our zone", "L1 zone=z2, R1 zone=z3", "L1 R1"},
            {"one endpoint without hints", "L1 zone=z1, R1", "L1 R1"},
            {"same node", "L1 node=e2e-node, R1 node=other-node zone=z1", "L1"},
            {"same node, gone, so the same zone", "R1 node=other-node zone=z1, R2 node=third-node zone=z2", "R1"},
            {"same node again", "L2 node=e2e-node zone=z1, R1 node=other-node zone=z1", "L2"},
        };
        for (String[] story : stories) {
            node().put(LabService.web("hinted", 20, story[1]).spec("trafficDistribution: PreferSameZone"));
            node().await(map, Sender.POD, map.clusterIp(20), 80, Proto.TCP, story[2]);
            node().await(map, Sender.POD, map.clusterIp(20), 80, Proto.UDP, story[2]);
        }
        node().remove(LabService.of("hinted", 20));
    }
}
