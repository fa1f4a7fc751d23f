package io.dualstackd.explain.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.packets.DataplaneUnderTest;
import io.dualstackd.dataplane.packets.Expected;
import io.dualstackd.dataplane.packets.Flow;
import io.dualstackd.dataplane.packets.Lab;
import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Probe;
import io.dualstackd.dataplane.packets.Scenario;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.explain.Evidence;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.explain.KernelPath;
import io.dualstackd.explain.trace.TraceFilter;
import io.dualstackd.explain.trace.TraceResult;
import io.dualstackd.explain.trace.TraceStep;
import io.dualstackd.explain.trace.TracedPacket;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** With real packets: for every row of the flow matrix a trace shows one of the ways that {@code explain} foretells, step by step. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TraceMatrixContract {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Lab lab;

    @BeforeAll
    void build() throws Exception {
        lab = Lab.open();
    }

    @AfterAll
    void tearDown() throws Exception {
        threads.shutdownNow();
        lab.close();
    }

    static Stream<Scenario> scenarios() {
        return Stream.of(LabMap.values())
                .flatMap(map -> Stream.concat(Scenario.matrix(map), Scenario.sourceRanges(map)));
    }

    /** What programs the rules of the mode. */
    abstract DataplaneUnderTest dataplane(NetNs node) throws Exception;

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void everyFlowTakesTheExplainedPath(Scenario scenario) throws Exception {
        try (DataplaneUnderTest dataplane = dataplane(lab.node())) {
            everyFlowTakesTheExplainedPath(scenario, dataplane);
        }
        clear(scenario.map().family());
    }

    /** The kernel needs no SCTP of its own for one that passes through. */
    @ParameterizedTest
    @EnumSource
    void sctpPacketTakesTheExplainedPath(LabMap map) throws Exception {
        ServiceView service = ServiceViewBuilder.service(
                        "assoc", map.clusterIp(7).toString())
                .protocols(Proto.SCTP)
                .endpoints(map.localPod(1) + " l", LabMap.TARGET_PORT)
                .view();
        NodeView node = map.nodeBuilder().podsIn(map.pods().toString()).view();
        try (DataplaneUnderTest dataplane = dataplane(lab.node())) {
            dataplane.program(node, List.of(service));
            Packet packet = new Packet(map.clientPod(), Sender.POD.origin(), map.clusterIp(7), Proto.SCTP, 80);
            TracedPacket traced = traced(
                    packet,
                    new HashSet<>(node.addresses()),
                    () -> SctpInit.send(
                            lab.hostOf(Sender.POD).ns(), map.clientPod(), new IpPort(map.clusterIp(7), 80)));
            assertThat(traced.translated()).hasValue(new IpPort(map.localPod(1), LabMap.TARGET_PORT));
            assertThat(traced.end()).isEqualTo(new TracedPacket.TraceEnd(TracedPacket.Fate.SENT, "pv-l1"));
            List<KernelPath> paths = explained(dataplane.mode(), map.family(), node, List.of(service), packet);
            assertThat(paths)
                    .anySatisfy(path ->
                            assertThat(isSame(dataplane.mode(), path, traced)).isTrue());
        }
        clear(map.family());
    }

    private void everyFlowTakesTheExplainedPath(Scenario scenario, DataplaneUnderTest dataplane) throws Exception {
        lab.nodeHolds(scenario.heldByNode());
        dataplane.program(scenario.node(), scenario.services());
        List<String> surprises = new ArrayList<>();
        for (Flow flow : scenario.flows()) {
            TracedPacket traced = trace(scenario, dataplane.mode(), flow);
            List<KernelPath> paths = explained(
                    dataplane.mode(),
                    scenario.map().family(),
                    scenario.node(),
                    scenario.services(),
                    packet(scenario, flow));
            if (paths.stream().noneMatch(path -> isSame(dataplane.mode(), path, traced))) {
                surprises.add(flow + ": traced " + traced + "\nexplained " + paths);
            }
        }
        assertThat(scenario.flows()).isNotEmpty();
        assertThat(surprises).isEmpty();
    }

    private void clear(IpFamily of) throws Exception {
        try (NftClient kernel = NftClient.open(lab.node());
                NftBatch batch = NftBatch.begin()) {
            NftFamily family = NftFamily.of(of);
            kernel.tables(family).forEach(table -> batch.delete(table.name()));
            assertThat(kernel.apply(batch)).isInstanceOf(NftOutcome.Applied.class);
            assertThat(kernel.table(new TableName(family, "dualstackd-trace"))).isEmpty();
        }
    }

    private static Packet packet(Scenario scenario, Flow flow) {
        return new Packet(
                flow.from().address(scenario.map()),
                flow.from().origin(),
                flow.destination(),
                flow.protocol(),
                flow.port());
    }

    private TracedPacket trace(Scenario scenario, ProxyMode mode, Flow flow) throws Exception {
        boolean silent =
                flow.expected(mode) instanceof Expected.Silence || flow.expected(mode) instanceof Expected.Unserved;
        Packet packet = packet(scenario, flow);
        return traced(
                packet,
                own(scenario),
                () -> Probe.send(
                        lab.hostOf(flow.from()).ns(),
                        packet.source(),
                        new IpPort(flow.destination(), flow.port()),
                        flow.protocol(),
                        silent ? 50 : 60_000));
    }

    private TracedPacket traced(Packet packet, Set<Ip> own, Callable<?> sending) throws Exception {
        PacketTracer tracer = new PacketTracer(lab.node());
        CountDownLatch listening = new CountDownLatch(1);
        Future<TraceResult> result = threads.submit(() -> tracer.trace(
                new PacketTracer.Order(
                        new TraceFilter(packet.source(), packet.destination(), packet.port(), packet.protocol(), ""),
                        own,
                        1,
                        Duration.ofMinutes(1)),
                listening::countDown,
                () -> false));
        if (!listening.await(1, TimeUnit.MINUTES)) {
            throw new AssertionError(packet + ": not traced: " + result.get());
        }
        Object ignored = sending.call();
        assertThat(result.get()).isInstanceOf(TraceResult.Traced.class);
        TraceResult.Traced traced = (TraceResult.Traced) result.get();
        assertThat(traced.lost()).isFalse();
        assertThat(traced.packets()).as(packet.toString()).hasSize(1);
        assertThat(traced.packets().getFirst().known()).isFalse();
        return traced.packets().getFirst();
    }

    private static Set<Ip> own(Scenario scenario) {
        return new HashSet<>(scenario.node().addresses());
    }

    private List<KernelPath> explained(
            ProxyMode mode, IpFamily family, NodeView node, List<ServiceView> services, Packet packet)
            throws Exception {
        Planner planner = Planner.of(node);
        Set<Ip> own = new HashSet<>(node.addresses());
        KernelFindings findings;
        if (mode == ProxyMode.NFTABLES) {
            try (NftClient kernel = NftClient.open(lab.node())) {
                findings = TableVerifier.verify(kernel, family, packet, own);
            }
        } else {
            findings = ChainsVerifier.of(() -> NlSocket.open(NlProtocol.NETFILTER, lab.node()), NodePlanner.plan(node))
                    .verify(services.stream().map(planner::plan).toList(), packet, own, lists -> Set.of());
        }
        assertThat(findings).isInstanceOf(KernelFindings.Found.class);
        return ((KernelFindings.Found) findings).paths();
    }

    private static boolean isSame(ProxyMode mode, KernelPath path, TracedPacket traced) {
        String fate = switch (traced.end().fate()) {
            case REJECTED -> "rejected";
            case DROPPED -> "dropped";
            case DELIVERED, SENT, VANISHED -> traced.translated().isPresent() ? "forwarded" : "left as it is";
            case QUEUED -> "queued";
        };
        boolean masqueraded = traced.masqueraded().isPresent();
        return path.fate().equals(fate)
                && (!fate.equals("forwarded") || path.to().equals(traced.translated()))
                && path.masqueraded() == masqueraded
                && (mode == ProxyMode.NFTABLES
                        ? isPartOf(elements(traced), path.steps())
                        : targets(traced).equals(targets(path)));
    }

    /** {@code explain} also shows elements that were found by rules which then did not apply. */
    private static boolean isPartOf(List<Evidence> met, List<Evidence> all) {
        int at = 0;
        for (Evidence one : all) {
            at += at < met.size() && met.get(at).equals(one) ? 1 : 0;
        }
        return at == met.size()
                && (all.isEmpty()
                        || all.getLast().object().equals("drop")
                        || (!met.isEmpty() && met.getLast().equals(all.getLast())));
    }

    private static List<Evidence> elements(TracedPacket traced) {
        return traced.steps().stream()
                .flatMap(step -> step.met().stream())
                .distinct()
                .toList();
    }

    private static List<String> targets(TracedPacket traced) {
        return traced.steps().stream()
                .filter(step -> !step.isPolicy())
                .map(TraceMatrixContract::target)
                .distinct()
                .toList();
    }

    private static String target(TraceStep step) {
        String chain = step.chain().table().name() + " " + step.chain().name();
        String target = step.verdict().startsWith("jump ") || step.verdict().startsWith("goto ")
                ? step.verdict().substring("jump ".length())
                : step.words().replaceFirst("^(\"[^\"]*\" ?)*", "");
        return chain + " " + (target.isEmpty() ? step.verdict().toUpperCase(Locale.ROOT) : target);
    }

    private static List<String> targets(KernelPath path) {
        return path.steps().stream()
                .map(step -> {
                    String[] words = step.object().split(" -[jg] ", -1);
                    String target = words.length == 1 ? "CONTINUE" : words[words.length - 1];
                    return step.place() + " " + step.object().split(" ", -1)[1] + " " + target;
                })
                .distinct()
                .toList();
    }
}
