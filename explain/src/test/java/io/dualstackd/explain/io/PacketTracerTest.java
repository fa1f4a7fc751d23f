package io.dualstackd.explain.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.packets.DataplaneUnderTest;
import io.dualstackd.dataplane.packets.Lab;
import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.NativeNftables;
import io.dualstackd.dataplane.packets.Probe;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.explain.Explanation;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.explain.Note;
import io.dualstackd.explain.trace.TraceDifference;
import io.dualstackd.explain.trace.TraceFilter;
import io.dualstackd.explain.trace.TraceResult;
import io.dualstackd.explain.trace.TraceStep;
import io.dualstackd.explain.trace.TraceTable;
import io.dualstackd.explain.trace.TracedPacket;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftMonitor;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.Notification;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftGeneration;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real packets through chains of other programs, and what remains in the kernel. */
@Tag("kernel")
final class PacketTracerTest {
    private static final int PORT = LabMap.TARGET_PORT;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Lab lab;
    private PacketTracer tracer;
    private NetNsCommands commands;

    @BeforeEach
    void build() throws Exception {
        lab = Lab.open();
        tracer = new PacketTracer(lab.node());
        commands = new NetNsCommands(lab.node());
    }

    @AfterEach
    void tearDown() throws Exception {
        threads.shutdownNow();
        lab.close();
    }

    @ParameterizedTest
    @EnumSource
    void aPacketThatAnotherProgramDropsEndsInItsChain(LabMap map) throws Exception {
        String family = family(map);
        commands.feed("""
                table %s guard {
                  chain forward {
                    type filter hook forward priority 10; policy accept;
                    tcp dport %d drop comment "not today"
                  }
                }
                """.formatted(family, PORT), "nft", "-f", "-");
        String before = commands.ruleset();

        TracedPacket packet = only(traced(map, 1, () -> send(map, Sender.POD, PORT, 50)));

        assertThat(packet.end())
                .isEqualTo(new TracedPacket.TraceEnd(TracedPacket.Fate.DROPPED, family + " guard forward"));
        assertThat(packet.in()).isEqualTo("pv-pod");
        assertThat(packet.steps())
                .extracting(TraceStep::toString)
                .containsExactly(family + " guard forward: \"not today\", drop");
        assertThat(commands.ruleset()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void aPacketThatNoServiceConcernsIsShownToItsEnd(LabMap map) throws Exception {
        TracedPacket sent = only(traced(map, 1, () -> send(map, Sender.POD, PORT, 20_000)));
        assertThat(sent.end()).isEqualTo(new TracedPacket.TraceEnd(TracedPacket.Fate.SENT, "pv-l1"));
        assertThat(sent.translated()).isEmpty();
        assertThat(sent.masqueraded()).isEmpty();
        assertThat(sent.steps()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPacketOfTheNodeToItselfIsFollowedThroughLo(LabMap map) throws Exception {
        TraceFilter filter = new TraceFilter(map.node(), map.node(), 9, Proto.UDP, "");
        PacketTracer.Order order = new PacketTracer.Order(filter, Set.of(map.node()), 1, Duration.ofMinutes(1));
        Sending sending = () -> lab.node().call(() -> {
            try (DatagramSocket socket =
                    new DatagramSocket(new InetSocketAddress(map.node().toString(), 0))) {
                socket.send(new DatagramPacket(
                        new byte[1], 1, new InetSocketAddress(map.node().toString(), 9)));
            }
            return true;
        });
        assertThat(only(traced(order, new AtomicBoolean(), sending)).end())
                .isEqualTo(new TracedPacket.TraceEnd(TracedPacket.Fate.DELIVERED, ""));

        String family = family(map);
        commands.feed("""
                table %s guard {
                  chain input {
                    type filter hook input priority 10; policy accept;
                    udp dport 9 drop
                  }
                }
                """.formatted(family), "nft", "-f", "-");
        assertThat(only(traced(order, new AtomicBoolean(), sending)).end())
                .isEqualTo(new TracedPacket.TraceEnd(TracedPacket.Fate.DROPPED, family + " guard input"));
    }

    /** Rules mark it for the masquerade, but no packet for a process of this node comes to the rules that masquerade. */
    @ParameterizedTest
    @EnumSource
    void aPacketForAnEndpointThatIsTheNodeItselfIsAsPlanned(LabMap map) throws Exception {
        ServiceView service = ServiceViewBuilder.service("dns", map.clusterIp(7).toString())
                .protocols(Proto.UDP)
                .endpoints(map.node() + " l", 9)
                .view();
        NodeView node = map.nodeBuilder().podsIn(map.pods().toString()).view();
        Packet packet = new Packet(map.client(), Sender.CLIENT.origin(), map.clusterIp(7), Proto.UDP, 80);
        Planner planner = Planner.of(node);
        PacketFate fate = new PacketOracle(ProxyMode.NFTABLES, planner, List.of(planner.plan(service))).fate(packet);
        try (DataplaneUnderTest dataplane = new NativeNftables(lab.node())) {
            dataplane.program(node, List.of(service));
            TraceFilter filter =
                    new TraceFilter(packet.source(), packet.destination(), packet.port(), packet.protocol(), "");
            TracedPacket traced = only(traced(
                    new PacketTracer.Order(filter, Set.copyOf(node.addresses()), 1, Duration.ofMinutes(1)),
                    new AtomicBoolean(),
                    () -> Probe.send(
                            lab.hostOf(Sender.CLIENT).ns(),
                            packet.source(),
                            new IpPort(packet.destination(), packet.port()),
                            packet.protocol(),
                            50)));
            assertThat(traced.end()).isEqualTo(new TracedPacket.TraceEnd(TracedPacket.Fate.DELIVERED, ""));
            assertThat(traced.translated()).hasValue(new IpPort(map.node(), 9));
            assertThat(traced.masqueraded()).as("what the kernel does").isEmpty();
            assertThat(TraceDifference.of(fate, traced)).isEmpty();
            assertThat(Explanation.of(
                                    packet,
                                    ProxyMode.NFTABLES,
                                    planner,
                                    List.of(planner.plan(service)),
                                    fate,
                                    new KernelFindings.Silent("not asked"),
                                    Optional.empty())
                            .notes())
                    .containsExactly(new Note(
                            "note",
                            new IpPort(map.node(), 9) + " is this node itself, and sees " + map.client()
                                    + ": what comes in for a process here meets no rule that masquerades"));
        }
    }

    @Test
    void packetsOfOthersAreNotTraced() throws Exception {
        LabMap map = LabMap.V4;
        commands.feed("""
                table ip loud {
                  chain prerouting {
                    type filter hook prerouting priority -310; policy accept;
                    meta nftrace set 1
                  }
                }
                """, "nft", "-f", "-");
        TraceResult.Traced traced = traced(map, 1, () -> {
            send(map, Sender.L1, PORT, 20_000);
            Probe.send(
                    lab.hostOf(Sender.POD).ns(),
                    Sender.POD.address(map),
                    new IpPort(map.localPod(2), PORT),
                    Proto.TCP,
                    20_000);
            send(map, Sender.POD, PORT, 20_000);
        });
        assertThat(only(traced).first().source().ip()).isEqualTo(map.clientPod());
        assertThat(only(traced).first().destination()).isEqualTo(new IpPort(map.localPod(1), PORT));
    }

    @Test
    void aFloodIsTracedInPart() throws Exception {
        LabMap map = LabMap.V4;
        AtomicBoolean over = new AtomicBoolean();
        long start = System.nanoTime();
        TraceResult.Traced traced = traced(map, Duration.ofMinutes(5), 1_000, over, () -> {
            for (int i = 0; i < 200; i++) {
                send(map, Sender.POD, PORT, 20_000);
            }
            over.set(true);
        });
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 1;
        // So many at first, and so many in each second.
        assertThat(traced.packets()).hasSizeBetween(10, Math.toIntExact(TraceTable.RATE * (seconds + 1)));
        assertThat(traced.lost()).isFalse();
    }

    @Test
    void reportsLostMessages() throws Exception {
        LabMap map = LabMap.V4;
        tracer = new PacketTracer(lab.node(), 1);
        commands.feed("""
                table ip busy {
                  chain forward {
                    type filter hook forward priority 10; policy accept;
                    %s
                  }
                }
                """.formatted("counter\n".repeat(200)), "nft", "-f", "-");
        TraceResult.Traced traced = traced(map, 1, () -> send(map, Sender.POD, PORT, 20_000));
        assertThat(traced.lost()).isTrue();
    }

    @Test
    void tableIsDeletedWithItsOwner() throws Exception {
        NftClient owner = NftClient.open(lab.node());
        TraceFilter filter = filter(LabMap.V4);
        assertThat(PacketTracer.refusal(PacketTracer.apply(owner, filter, 2))).isEmpty();
        assertThat(commands.run("nft", "list", "tables")).contains("dualstackd-trace");
        owner.close();
        assertThat(commands.run("nft", "list", "tables")).doesNotContain("dualstackd-trace");
    }

    @Test
    void aKernelWithoutOwnersIsRefused() throws Exception {
        try (NftClient owner = NftClient.open(lab.node())) {
            // A flag that no kernel knows, as this one is to a kernel before 5.12.
            NftOutcome outcome = PacketTracer.apply(owner, filter(LabMap.V4), 1 << 20);
            assertThat(PacketTracer.refusal(outcome))
                    .hasValueSatisfying(why -> assertThat(why).contains("tables with an owner", "would remain"));
        }
        assertThat(commands.run("nft", "list", "tables")).isEmpty();
    }

    @Test
    void itEndsInTimeAndWhenItIsNotWantedAnyMore() throws Exception {
        TraceResult.Traced none = traced(LabMap.V4, Duration.ofSeconds(1), 1, new AtomicBoolean(), () -> {});
        assertThat(none.packets()).isEmpty();
        traced(LabMap.V4, Duration.ofMinutes(5), 1, new AtomicBoolean(true), () -> {});
        assertThat(commands.run("nft", "list", "tables")).isEmpty();
        // The thread has given its result a moment before it ends.
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .doesNotContain("packet-trace"));
    }

    /**
     * A daemon compares everything when the rule set has a version of which it was told nothing. Of each version that a trace causes it is told, as
     * of those of any table of others: also of the end, which is no transaction.
     */
    @Test
    void reportsEveryGenerationThatATraceCauses() throws Exception {
        NetlinkSockets sockets = NetlinkSockets.of(lab.node());
        try (NftMonitor monitor = NftMonitor.open(sockets, message -> true)) {
            int before = version();
            for (int i = 0; i < 3; i++) {
                AtomicBoolean over = new AtomicBoolean();
                traced(LabMap.V4, Duration.ofMinutes(1), 1, over, () -> {
                    assertThat(lastReported(monitor)).as("while it runs").isEqualTo(version());
                    over.set(true);
                });
                assertThat(commands.run("nft", "list", "tables")).isEmpty();
                assertThat(version()).as("after its end").isEqualTo(before + i + 1);
            }
            commands.run("nft", "add", "table", "ip", "other");
            commands.run("nft", "delete", "table", "ip", "other");
            assertThat(lastReported(monitor)).as("of another program").isEqualTo(version());
        }
    }

    private int version() throws NetlinkException {
        try (NftClient kernel = NftClient.open(lab.node())) {
            return kernel.generation().id();
        }
    }

    /** The last version in the notifications that wait. */
    private static int lastReported(NftMonitor monitor) throws NetlinkException {
        int last = 0;
        while (monitor.next(Duration.ofMillis(200)) instanceof Notification.Changes(var changes)) {
            for (var each : changes) {
                if (each.change() instanceof NftChange.Committed(NftGeneration generation)) {
                    last = generation.id();
                }
            }
        }
        return last;
    }

    @Test
    void thereIsOneAtATime() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        traced(LabMap.V4, Duration.ofMinutes(1), 1, over, () -> {
            assertThat(tracer.trace(order(LabMap.V4, Duration.ofSeconds(1), 1), () -> {}, () -> false))
                    .isEqualTo(new TraceResult.Refused("another trace is under way; there is one at a time"));
            over.set(true);
        });
    }

    @Test
    void datagramOfTrackedConnectionIsDistinguished() throws Exception {
        LabMap map = LabMap.V4;
        commands.feed("""
                table ip translating {
                  chain prerouting {
                    type nat hook prerouting priority -100; policy accept;
                    udp dport 9 dnat to %s:%d
                  }
                }
                """.formatted(map.localPod(1), PORT), "nft", "-f", "-");
        TraceFilter filter = new TraceFilter(map.clientPod(), map.clusterIp(1), 9, Proto.UDP, "pv-pod");
        TraceResult.Traced traced = traced(
                new PacketTracer.Order(filter, Set.of(), 2, Duration.ofMinutes(1)),
                new AtomicBoolean(),
                () -> lab.hostOf(Sender.POD).ns().call(() -> {
                    try (DatagramSocket socket = new DatagramSocket()) {
                        InetSocketAddress to =
                                new InetSocketAddress(map.clusterIp(1).toString(), 9);
                        for (int i = 0; i < 2; i++) {
                            socket.send(new DatagramPacket(new byte[1], 1, to));
                            socket.receive(new DatagramPacket(new byte[64], 64));
                        }
                    }
                    return true;
                }));
        assertThat(traced.packets()).extracting(TracedPacket::known).containsExactly(false, true);
        assertThat(traced.packets())
                .extracting(TracedPacket::translated)
                .allSatisfy(to -> assertThat(to).hasValue(new IpPort(map.localPod(1), PORT)));
    }

    private interface Sending {
        void run() throws Exception;
    }

    private static String family(LabMap map) {
        return map == LabMap.V4 ? "ip" : "ip6";
    }

    private void send(LabMap map, Sender from, int port, int timeout) throws Exception {
        Probe.send(lab.hostOf(from).ns(), from.address(map), new IpPort(map.localPod(1), port), Proto.TCP, timeout);
    }

    private static TraceFilter filter(LabMap map) {
        return new TraceFilter(map.clientPod(), map.localPod(1), PORT, Proto.TCP, "");
    }

    private static PacketTracer.Order order(LabMap map, Duration time, int count) {
        return new PacketTracer.Order(filter(map), Set.of(), count, time);
    }

    private TraceResult.Traced traced(LabMap map, int count, Sending sending) throws Exception {
        return traced(map, Duration.ofMinutes(1), count, new AtomicBoolean(), sending);
    }

    private TraceResult.Traced traced(LabMap map, Duration time, int count, AtomicBoolean over, Sending sending)
            throws Exception {
        return traced(order(map, time, count), over, sending);
    }

    private TraceResult.Traced traced(PacketTracer.Order order, AtomicBoolean over, Sending sending) throws Exception {
        CountDownLatch listening = new CountDownLatch(1);
        Future<TraceResult> result = threads.submit(() -> tracer.trace(order, listening::countDown, over::get));
        if (!listening.await(1, TimeUnit.MINUTES)) {
            throw new AssertionError("not traced: " + result.get(1, TimeUnit.MINUTES));
        }
        sending.run();
        TraceResult got = result.get(2, TimeUnit.MINUTES);
        assertThat(got).isInstanceOf(TraceResult.Traced.class);
        return (TraceResult.Traced) got;
    }

    private static TracedPacket only(TraceResult.Traced traced) {
        assertThat(traced.lost()).isFalse();
        assertThat(traced.packets()).hasSize(1);
        return traced.packets().getFirst();
    }
}
