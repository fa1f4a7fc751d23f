package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Row 17: a UDP client that never changes its source port, and so is one flow for the kernel for as long as it goes on asking, reaches
 * the endpoint that serves now. It begins before there is one.
 */
interface ConntrackRows {
    int SOURCE_PORT = 4017;
    int SERVER_PORT = 9500;

    NodeUnderTest node();

    /** A client, and the server whose answers it must receive. */
    private UdpClient client(LabMap map, Sender from, Ip to, int port) throws Exception {
        return UdpClient.open(node().lab().hostOf(from).ns(), from.address(map), SOURCE_PORT, to, port);
    }

    private static void awaitAnswer(UdpClient client, String server) {
        eventually().untilAsserted(() -> assertThat(client.say("?")).isEqualTo(server + " ?"));
    }

    private static void askInVain(UdpClient client) throws IOException {
        // At first there may still be the Service of the row before.
        eventually().untilAsserted(() -> assertThat(client.say("?")).isIn("refused", "silence"));
        assertThat(client.say("?")).isIn("refused", "silence");
    }

    private static LabService service(int number, String pods) {
        return LabService.of("udp", number)
                .spec("type: NodePort")
                .port("u", "UDP", 80, 30000 + number)
                .slice("one", "{name: u, port: %d, protocol: UDP}".formatted(SERVER_PORT), pods);
    }

    /** The first server is replaced by the second one, on this node. */
    private void cycle(LabMap map, Sender from, Ip to, int port, int number, String policy) throws Exception {
        try (UdpClient client = client(map, from, to, port);
                PodServer first = PodServer.start(node().lab().pod(1), "L1", map.localPod(1), SERVER_PORT);
                PodServer second = PodServer.start(node().lab().pod(2), "L2", map.localPod(2), SERVER_PORT)) {
            askInVain(client);
            node().put(service(number, "").spec(policy));
            askInVain(client);
            node().put(service(number, "L1, R4 u").spec(policy));
            awaitAnswer(client, "L1");
            node().put(service(number, "L1, L2").spec(policy));
            first.close();
            node().put(service(number, "L2").spec(policy));
            awaitAnswer(client, "L2");
        }
        node().host().delete("udp.yaml");
    }

    @ParameterizedTest
    @EnumSource
    default void row17ServersCycleBehindANodePort(LabMap map) throws Exception {
        cycle(map, Sender.CLIENT, map.node(), 30017, 17, "externalTrafficPolicy: Cluster");
    }

    @ParameterizedTest
    @EnumSource
    default void row17ServersCycleBehindAClusterIp(LabMap map) throws Exception {
        cycle(map, Sender.POD, map.clusterIp(27), 80, 27, "externalTrafficPolicy: Cluster");
    }

    @ParameterizedTest
    @EnumSource
    default void row17ServersCycleAndTheClientIsTheNode(LabMap map) throws Exception {
        cycle(map, Sender.NODE, map.clusterIp(37), 80, 37, "externalTrafficPolicy: Cluster");
    }

    /** There is always a server elsewhere, which must not be a reason to keep flows to a local one that has gone. */
    @ParameterizedTest
    @EnumSource
    default void row17ServersCycleUnderInternalPolicyLocal(LabMap map) throws Exception {
        String policy = "internalTrafficPolicy: Local";
        try (UdpClient client = client(map, Sender.POD, map.clusterIp(47), 80);
                PodServer here = PodServer.start(node().lab().pod(1), "L1", map.localPod(1), SERVER_PORT);
                PodServer next = PodServer.start(node().lab().pod(2), "L2", map.localPod(2), SERVER_PORT)) {
            askInVain(client);
            node().put(service(47, "L1, R1").spec(policy));
            awaitAnswer(client, "L1");
            here.close();
            node().put(service(47, "R1").spec(policy));
            node().put(service(47, "R1, L2").spec(policy));
            awaitAnswer(client, "L2");
        }
        node().host().delete("udp.yaml");
    }

    @ParameterizedTest
    @EnumSource
    default void row17TheFirstServerIsNotReadyAtFirst(LabMap map) throws Exception {
        // One for each family: the Service of the run before may be in force for a moment longer.
        int number = map == LabMap.V4 ? 57 : 58;
        try (UdpClient client = client(map, Sender.POD, map.clusterIp(number), 80);
                PodServer server = PodServer.start(node().lab().pod(1), "L1", map.localPod(1), SERVER_PORT)) {
            node().put(service(number, "L1 u"));
            askInVain(client);
            node().put(service(number, "L1"));
            awaitAnswer(client, "L1");
        }
        node().host().delete("udp.yaml");
    }

    @ParameterizedTest
    @EnumSource
    default void row17TheTargetPortChangesBehindANodePort(LabMap map) throws Exception {
        LabService bare = LabService.of("udp", 67).spec("type: NodePort").port("u", "UDP", 80, 30067);
        try (UdpClient client = client(map, Sender.CLIENT, map.node(), 30067);
                PodServer before = PodServer.start(node().lab().pod(1), "before", map.localPod(1), SERVER_PORT);
                PodServer after = PodServer.start(node().lab().pod(1), "after", map.localPod(1), SERVER_PORT + 1)) {
            node().put(bare.slice("one", "{name: u, port: %d, protocol: UDP}".formatted(SERVER_PORT), "L1"));
            awaitAnswer(client, "before");
            node().put(bare.slice("one", "{name: u, port: %d, protocol: UDP}".formatted(SERVER_PORT + 1), "L1"));
            awaitAnswer(client, "after");
        }
        node().host().delete("udp.yaml");
    }
}
