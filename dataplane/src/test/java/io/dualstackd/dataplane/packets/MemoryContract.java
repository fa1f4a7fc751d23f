package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.packets.Probe.Answer;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the kernel remembers from one connection to the next: session affinity, and connections that are under way. */
public abstract class MemoryContract extends PacketContract {
    private static final int HOURS = 10_800;
    private static final int TIMEOUT = 60_000;

    @ParameterizedTest
    @EnumSource
    void aClientStaysWithItsEndpointOnEveryAddressOfTheServicePort(LabMap map) throws Exception {
        program(map, sticky(map, HOURS, "L1, L2, R1, R2"));
        for (Sender client : List.of(Sender.POD, Sender.NODE, Sender.CLIENT)) {
            for (Proto protocol : List.of(Proto.TCP, Proto.UDP)) {
                Set<String> servers = new TreeSet<>();
                for (int i = 0; i < 4; i++) {
                    servers.add(send(map, client, map.clusterIp(1), 80, protocol));
                    servers.add(send(map, client, map.vip(1), 80, protocol));
                    servers.add(send(map, client, map.externalIp(1), 80, protocol));
                    servers.add(send(map, client, map.node(), 30001, protocol));
                }
                assertThat(servers).as(client + " " + protocol).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientIsForgottenWhenItStaysAwayLongEnough(LabMap map) throws Exception {
        program(map, sticky(map, 1, "L1, L2, L3, L4, R1, R2, R3, R4"));
        String first = send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP);
        // Every connection starts the second anew, so the client must keep away for longer between two of them.
        await().pollDelay(Duration.ofMillis(1_500))
                .pollInterval(Duration.ofMillis(1_500))
                .atMost(Duration.ofMinutes(1))
                .until(() ->
                        !send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP).equals(first));
    }

    @ParameterizedTest
    @EnumSource
    void aClientWhoseEndpointGoesFindsAnotherAndStaysThere(LabMap map) throws Exception {
        program(map, sticky(map, HOURS, "R1"));
        assertThat(send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP)).isEqualTo("R1");
        program(map, sticky(map, HOURS, "L1, L2"));
        Set<String> servers = new TreeSet<>();
        for (int i = 0; i < 8; i++) {
            servers.add(send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP));
        }
        assertThat(servers).hasSize(1).isSubsetOf("L1", "L2");
    }

    @ParameterizedTest
    @EnumSource
    void newEndpointsDoNotMakeTheKernelForgetItsClients(LabMap map) throws Exception {
        program(map, sticky(map, HOURS, "R1"));
        assertThat(send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP)).isEqualTo("R1");
        program(map, sticky(map, HOURS, "L1, L2, L3, R1, R2"));
        for (int i = 0; i < 8; i++) {
            assertThat(send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP)).isEqualTo("R1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLocalPathAsksLocalEndpointsOnly(LabMap map) throws Exception {
        program(map, sticky(map, HOURS, "R1").externalLocal());
        assertThat(send(map, Sender.CLIENT, map.clusterIp(1), 80, Proto.TCP)).isEqualTo("R1");
        program(map, sticky(map, HOURS, "L1, L2, R1").externalLocal());
        assertThat(send(map, Sender.CLIENT, map.clusterIp(1), 80, Proto.TCP)).isEqualTo("R1");
        String local = send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP);
        assertThat(local).isIn("L1", "L2");
        for (int i = 0; i < 8; i++) {
            assertThat(send(map, Sender.CLIENT, map.vip(1), 80, Proto.TCP)).isEqualTo(local);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionUnderWayOutlivesEveryChange(LabMap map) throws Exception {
        for (Sender client : List.of(Sender.POD, Sender.NODE, Sender.CLIENT)) {
            program(map, talking(map, "L1").externalLocal());
            try (TcpConversation talk = TcpConversation.start(
                    lab().pod(1),
                    map.localPod(1),
                    lab().hostOf(client).ns(),
                    client.address(map),
                    new IpPort(map.vip(1), 80))) {
                assertThat(talk.say("new")).isEqualTo("new");
                program(map, talking(map, "L1, L2, R1"));
                assertThat(talk.say("spread")).isEqualTo("spread");
                program(map, talking(map, "R2").externalLocal());
                assertThat(talk.say("endpoint gone")).isEqualTo("endpoint gone");
                program(map, talking(map, ""));
                assertThat(talk.say("none left")).isEqualTo("none left");
                program(map);
                assertThat(talk.say("service gone")).isEqualTo("service gone");
            }
        }
    }

    private static ServiceViewBuilder sticky(LabMap map, int seconds, String pods) {
        return Services.on(map, Services.everything(map, "sticky", 1), pods)
                .affinity(seconds)
                .protocols(Proto.TCP, Proto.UDP);
    }

    private static ServiceViewBuilder talking(LabMap map, String pods) {
        return Services.on(map, Services.everything(map, "talking", 1), pods, TcpConversation.PORT);
    }

    private void program(LabMap map, ServiceViewBuilder... services) throws Exception {
        NodeView node = map.nodeBuilder().podsIn(map.pods().toString()).view();
        dataplane()
                .program(
                        node,
                        List.of(services).stream().map(ServiceViewBuilder::view).toList());
    }

    private String send(LabMap map, Sender from, Ip to, int port, Proto protocol) throws Exception {
        Answer answer = Probe.send(lab().hostOf(from).ns(), from.address(map), new IpPort(to, port), protocol, TIMEOUT);
        return answer instanceof Answer.From(String server, var ignored) ? server : answer.toString();
    }
}
