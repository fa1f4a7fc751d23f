package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.flows.SweepReport;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.flows.io.SweepNotes;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.conntrack.ConntrackEntry;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** UDP clients that keep their source port while endpoints come and go: real flows, real rules, and the sweep between them. */
public abstract class UdpFlowsContract extends PacketContract {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final int OTHER_PORT = 9091;

    @BeforeEach
    void forgetFlowsOfEarlierTests() throws IOException {
        forgetFlows();
    }

    private void forgetFlows() throws IOException {
        try (ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(lab().node()))) {
            for (IpFamily family : IpFamily.values()) {
                client.deleteIf(new FlowFilter.All(family), flow -> true);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientOfANodePortFollowsTheServerThatCycles(LabMap map) throws Exception {
        serverCycles(map, Sender.CLIENT, new IpPort(map.node(), 30001), Function.identity());
    }

    @ParameterizedTest
    @EnumSource
    void aClientOfAClusterIpFollowsTheServerThatCycles(LabMap map) throws Exception {
        serverCycles(map, Sender.POD, new IpPort(map.clusterIp(1), 80), Function.identity());
    }

    @ParameterizedTest
    @EnumSource
    void aClientOnTheHostFollowsTheServerThatCycles(LabMap map) throws Exception {
        serverCycles(map, Sender.NODE, new IpPort(map.clusterIp(1), 80), Function.identity());
    }

    @ParameterizedTest
    @EnumSource
    void clientsOfVipAndExternalIpFollowTheServerThatCycles(LabMap map) throws Exception {
        serverCycles(map, Sender.CLIENT, new IpPort(map.vip(1), 80), ServiceViewBuilder::externalLocal);
        serverCycles(map, Sender.CLIENT, new IpPort(map.externalIp(1), 80), Function.identity());
    }

    /** Other nodes' endpoints serve all the time. */
    @ParameterizedTest
    @EnumSource
    void aClientUnderLocalPolicyFollowsTheServerOfItsNode(LabMap map) throws Exception {
        try (Line line = line(map, Optional.empty());
                UdpClient client = client(map, Sender.POD, new IpPort(map.clusterIp(1), 80))) {
            line.inForce(dns(map, "L1, R1").internalLocal());
            assertThat(client.ask()).isEqualTo("L1");
            line.inForce(dns(map, "L2, R1").internalLocal());
            assertThat(client.ask()).isEqualTo("L2");
        }
    }

    /** The flow is older than the Service, which is older than its first endpoint. */
    private void serverCycles(
            LabMap map, Sender from, IpPort to, Function<ServiceViewBuilder, ServiceViewBuilder> policy)
            throws Exception {
        try (Line line = line(map, Optional.empty());
                UdpClient client = client(map, from, to)) {
            line.inForce();
            client.send();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> line.flowsOf(client).size() == 1);
            line.inForce(policy.apply(dns(map, "L1")));
            assertThat(client.ask()).isEqualTo("L1");
            line.inForce(policy.apply(dns(map, "L1, L2")));
            assertThat(client.ask()).as("a flow stays where it is").isEqualTo("L1");
            line.rulesOnly(policy.apply(dns(map, "L2")));
            assertThat(client.ask())
                    .as("the kernel alone goes on to who is gone")
                    .isEqualTo("L1");
            assertThat(line.sweep().deleted()).isEqualTo(1);
            assertThat(client.ask()).isEqualTo("L2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientFindsTheFirstEndpointOnceItIsReady(LabMap map) throws Exception {
        try (Line line = line(map, Optional.empty());
                UdpClient client = client(map, Sender.CLIENT, new IpPort(map.node(), 30001))) {
            line.inForce();
            client.send();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> line.flowsOf(client).size() == 1);
            line.inForce(dns(map, "L1 u"));
            assertThat(client.ask()).isEqualTo("refused");
            line.inForce(dns(map, "L1"));
            assertThat(client.ask()).isEqualTo("L1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientFollowsTheTargetPort(LabMap map) throws Exception {
        try (Closeable other = Server.start(lab().pod(1), "other", map.localPod(1), OTHER_PORT);
                Line line = line(map, Optional.empty());
                UdpClient client = client(map, Sender.CLIENT, new IpPort(map.node(), 30001))) {
            assertThat(other).isNotNull();
            line.inForce(dns(map, "L1"));
            assertThat(client.ask()).isEqualTo("L1");
            line.inForce(Services.on(map, Services.everything(map, "dns", 1).protocols(Proto.UDP), "L1", OTHER_PORT));
            assertThat(client.ask()).isEqualTo("other");
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutEndpointsClientsAreRefusedAtOnce(LabMap map) throws Exception {
        try (Line line = line(map, Optional.empty());
                UdpClient client = client(map, Sender.POD, new IpPort(map.clusterIp(1), 80))) {
            line.inForce(dns(map, "L1"));
            assertThat(client.ask()).isEqualTo("L1");
            line.inForce(dns(map, ""));
            assertThat(client.ask()).isEqualTo("refused");
            line.inForce(dns(map, "L2"));
            assertThat(client.ask()).isEqualTo("L2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeletedServiceLeavesNoFlows(LabMap map) throws Exception {
        try (Line line = line(map, Optional.empty());
                UdpClient client = client(map, Sender.POD, new IpPort(map.clusterIp(1), 80));
                UdpClient other = client(map, Sender.CLIENT, new IpPort(map.secondNode(), 30001))) {
            line.inForce(dns(map, "L1"));
            assertThat(client.ask()).isEqualTo("L1");
            assertThat(other.ask()).isEqualTo("L1");
            line.inForce();
            assertThat(line.flowsOf(client)).isEmpty();
            assertThat(line.flowsOf(other)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRestartMakesUpForWhatHappenedMeanwhile(LabMap map) throws Exception {
        try (UdpClient client = client(map, Sender.POD, new IpPort(map.clusterIp(1), 80));
                UdpClient orphan = client(map, Sender.POD, new IpPort(map.clusterIp(2), 80))) {
            try (Line before = line(map, Optional.empty())) {
                ServiceViewBuilder second =
                        Services.on(map, Services.clusterIp(map, "dns-2", 2).protocols(Proto.UDP), "L3");
                before.inForce(dns(map, "L1"), second);
                assertThat(client.ask()).isEqualTo("L1");
                assertThat(orphan.ask()).isEqualTo("L3");
            }
            try (Line after = new Line(map, Optional.empty(), map.serviceCidr())) {
                SweepReport report = after.inForce(dns(map, "L2"));
                assertThat(report.deleted()).isEqualTo(2);
                assertThat(client.ask()).isEqualTo("L2");
                assertThat(after.flowsOf(orphan)).isEmpty();
            }
        }
    }

    /** A flow of the node's own to the same port number at another host, and one of a pod. */
    @ParameterizedTest
    @EnumSource
    void nodePortOfAnotherNodeKeepsItsFlows(LabMap map) throws Exception {
        IpPort elsewhere = new IpPort(map.remoteNode(), 30001);
        try (Line line = line(map, Optional.empty());
                Closeable remote = Server.start(lab().hostOf(Sender.R1).ns(), "remote", map.remoteNode(), 30001);
                UdpClient fromPod = client(map, Sender.POD, elsewhere);
                UdpClient fromNode = client(map, Sender.NODE, elsewhere);
                UdpClient client = client(map, Sender.CLIENT, new IpPort(map.node(), 30001))) {
            assertThat(remote).isNotNull();
            line.inForce(dns(map, "L1"));
            assertThat(fromPod.ask()).isEqualTo("remote");
            assertThat(fromNode.ask()).isEqualTo("remote");
            assertThat(client.ask()).isEqualTo("L1");
            List<ConntrackEntry> before = line.flowsOf(fromPod, fromNode);
            assertThat(before).hasSize(2);
            assertThat(line.inForce(dns(map, "L2")).deleted()).isEqualTo(1);
            line.inForce(dns(map, ""));
            line.inForce();
            assertThat(ids(line.flowsOf(fromPod, fromNode))).isEqualTo(ids(before));
        }
    }

    @ParameterizedTest
    @EnumSource
    void tcpIsLeftAloneUnlessItIsToBeDrained(LabMap map) throws Exception {
        ServiceViewBuilder two = talking(map, "L1, L2");
        for (Optional<Duration> drain : List.of(Optional.<Duration>empty(), Optional.of(Duration.ofMinutes(5)))) {
            forgetFlows();
            try (Line line = line(map, drain)) {
                line.inForce(talking(map, "L1"));
                try (TcpConversation talk = TcpConversation.start(
                        lab().pod(1),
                        map.localPod(1),
                        lab().hostOf(Sender.POD).ns(),
                        map.clientPod(),
                        new IpPort(map.clusterIp(1), 80))) {
                    line.inForce(two);
                    SweepReport gone = line.inForce(talking(map, "L2"));
                    assertThat(talk.say("still here")).isEqualTo("still here");
                    Instant later = NOON.plus(Duration.ofMinutes(5));
                    assertThat(gone.next()).isEqualTo(drain.map(ignored -> later));
                    long drained = line.sweep(later).deleted();
                    if (drain.isEmpty()) {
                        assertThat(drained).isZero();
                        assertThat(talk.say("for ever")).isEqualTo("for ever");
                    } else {
                        assertThat(drained).isEqualTo(1);
                        // The packet is one of a new connection now, which the other endpoint knows nothing of.
                        assertThatThrownBy(() -> talk.call("hello?")).hasMessageContaining("reset");
                    }
                }
            }
        }
    }

    private static ServiceViewBuilder dns(LabMap map, String pods) {
        return Services.on(map, Services.everything(map, "dns", 1).protocols(Proto.UDP), pods);
    }

    private static ServiceViewBuilder talking(LabMap map, String pods) {
        return Services.on(map, Services.everything(map, "talking", 1), pods, TcpConversation.PORT);
    }

    private UdpClient client(LabMap map, Sender from, IpPort to) throws Exception {
        return UdpClient.open(lab().hostOf(from).ns(), from.address(map), to);
    }

    private static List<Integer> ids(List<ConntrackEntry> entries) {
        return entries.stream().map(ConntrackEntry::id).sorted().toList();
    }

    private Line line(LabMap map, Optional<Duration> drain) throws Exception {
        // Without Service CIDRs, so that in nftables mode, too, packets to unassigned addresses are forwarded.
        return new Line(map, drain);
    }

    /** What one family's line of a daemon does: rules, then the sweep. */
    private final class Line implements Closeable {
        private final NodeView node;
        private final IpFamily family;
        private final StaleFlowSweep sweep;
        private final ConntrackClient commands;
        private List<ServiceView> now = List.of();

        Line(LabMap map, Optional<Duration> drain, IpPrefix... serviceCidrs) throws Exception {
            family = map.family();
            node = map.nodeBuilder()
                    .podsIn(map.pods().toString())
                    .serviceCidrs(serviceCidrs)
                    .view();
            sweep = new StaleFlowSweep(family, () -> ConntrackClient.open(NetlinkSockets.of(lab().node())), drain);
            commands = ConntrackClient.open(NetlinkSockets.of(lab().node()));
        }

        SweepReport inForce(ServiceViewBuilder... services) throws Exception {
            rulesOnly(services);
            return sweep();
        }

        void rulesOnly(ServiceViewBuilder... services) throws Exception {
            Set<ServiceKey> changed = now.stream().map(ServiceView::key).collect(Collectors.toCollection(HashSet::new));
            now = List.of(services).stream().map(ServiceViewBuilder::view).toList();
            now.forEach(view -> changed.add(view.key()));
            dataplane().program(node, now);
            SweepNotes.note(
                    sweep,
                    Planner.of(node),
                    changed,
                    now.stream().collect(Collectors.toMap(ServiceView::key, view -> view)),
                    NOON);
        }

        SweepReport sweep() {
            return sweep(NOON);
        }

        SweepReport sweep(Instant at) {
            SweepReport report = sweep.sweep(at);
            assertThat(report.problem()).isEmpty();
            return report;
        }

        List<ConntrackEntry> flowsOf(UdpClient... clients) throws IOException {
            Set<Integer> ports = List.of(clients).stream().map(UdpClient::port).collect(Collectors.toSet());
            return commands.list(new FlowFilter.OfProto(family, Proto.UDP)).stream()
                    .filter(entry -> ports.contains(entry.original().source().port()))
                    .toList();
        }

        @Override
        public void close() throws IOException {
            sweep.close();
            commands.close();
        }
    }
}
