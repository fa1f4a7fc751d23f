package io.dualstackd.agent.app;

import static io.dualstackd.agent.app.RenumberedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.admin.Health;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.io.TestApiServer;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.node.report.AddressManagement;
import io.dualstackd.node.report.ReportSettings;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.pages.health.ProxyAddresses;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.io.FakeRuntime;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever runs in a daemon is in the table, beats, and is missed when it does not. */
@Tag("kernel")
final class SupervisionTest {
    private static final Duration HASTE = Duration.ofSeconds(6);

    private static final Set<Component> OF_ALL = EnumSet.of(
            Component.DATAPLANE_IPV4,
            Component.DATAPLANE_IPV6,
            Component.RULES,
            Component.ADDRESSES,
            Component.HEALTH,
            Component.HEAP,
            Component.SUPERVISOR);

    private static final int PORT = 10249;
    private static final ProxyAddresses METRICS = new ProxyAddresses(
            Optional.empty(), Optional.of(new Listening(Optional.of(Ip.parse("127.0.0.1")), PORT)), true);

    @TempDir
    private Path folder;

    private final List<String> ends = new CopyOnWriteArrayList<>();

    @Test
    void everyThreadOfADaemonWithAnApiServerIsInTheTableAndBeats() throws Exception {
        Set<String> before = threads();
        try (NetNs ns = NetNs.create();
                TestApiServer server = TestApiServer.plain();
                FakeRuntime runtime = runtime()) {
            up(ns);
            server.others(request -> new MockResponse.Builder()
                    .code(201)
                    .addHeader("Content-Type", "application/json")
                    .body("{}")
                    .build());
            Set<String> others = threads();
            try (Daemon daemon = start(
                    settings(
                            ns,
                            cluster(server),
                            new PodSettings(
                                    Optional.of(RuntimeEndpoint.parse("unix://" + folder.resolve("cri.sock"))),
                                    PodCidrs.NONE,
                                    true)),
                    Map.of())) {
                Set<Component> expected = EnumSet.copyOf(OF_ALL);
                expected.addAll(EnumSet.of(
                        Component.NAMES,
                        Component.PODS,
                        Component.CRI,
                        Component.API,
                        Component.API_ACCESS,
                        Component.SERVICES,
                        Component.ENDPOINT_SLICES,
                        Component.NODES,
                        Component.SERVICE_CIDRS,
                        Component.EVENTS,
                        Component.NODE_STATUS,
                        Component.POD_STATUS));
                eventually(() -> assertThat(running(daemon)).containsExactlyInAnyOrderElementsOf(expected));
                eventually(() -> assertThat(ofNoComponent(others)).isEmpty());
                eventually(() -> assertThat(runtime.calls()).isNotEmpty());
                beats(daemon);
            }
        }
        eventually(() -> assertThat(ofAComponent(before)).isEmpty());
    }

    @Test
    void everyThreadOfADaemonWithAFolderIsInTheTableAndBeats() throws Exception {
        Set<String> before = threads();
        try (NetNs ns = NetNs.create()) {
            up(ns);
            Path manifests = Files.createDirectory(folder.resolve("manifests"));
            try (Daemon daemon =
                    start(settings(ns, new SourceSettings.Folder(manifests.toString()), PodSettings.NONE), Map.of())) {
                Set<Component> expected = EnumSet.copyOf(OF_ALL);
                expected.add(Component.MANIFESTS);
                expected.add(Component.NAMES);
                eventually(() -> assertThat(running(daemon)).containsExactlyInAnyOrderElementsOf(expected));
                eventually(() -> assertThat(ofNoComponent(before)).isEmpty());
                beats(daemon);
            }
        }
        eventually(() -> assertThat(ofAComponent(before)).isEmpty());
    }

    @Test
    void everyThreadOfADaemonWithDnsIsInTheTableAndBeats() throws Exception {
        Set<String> before = threads();
        try (NetNs ns = NetNs.create()) {
            up(ns);
            Path manifests = Files.createDirectory(folder.resolve("manifests"));
            DaemonSettings settings =
                    settings(ns, new SourceSettings.Folder(manifests.toString()), PodSettings.NONE).toBuilder()
                            .dns(Optional.of(new DnsSettings(
                                    List.of(new DnsSettings.Listen.Address(new IpPort(Ip.parse("127.0.0.1"), 53))),
                                    DnsName.parse("cluster.local"),
                                    new DnsSettings.Upstream.None(),
                                    List.of(),
                                    List.of(),
                                    Duration.ofSeconds(5))))
                            .build();
            try (Daemon daemon = start(settings, Map.of())) {
                Set<Component> expected = EnumSet.copyOf(OF_ALL);
                expected.add(Component.MANIFESTS);
                expected.add(Component.NAMES);
                expected.add(Component.DNS);
                expected.add(Component.DNS_ZONE);
                eventually(() -> assertThat(running(daemon)).containsExactlyInAnyOrderElementsOf(expected));
                eventually(() -> assertThat(ofNoComponent(before)).isEmpty());
                eventually(() -> assertThat(daemon.dns().orElseThrow().listeners())
                        .containsExactly(new DnsReport.Listener("127.0.0.1:53", Optional.empty())));
                beats(daemon);
            }
        }
        eventually(() -> assertThat(ofAComponent(before)).isEmpty());
    }

    @Test
    void stuckReconcilerIsReportedAndEndsTheProcess() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (NetNs ns = NetNs.create()) {
            up(ns);
            Path manifests = Files.createDirectory(folder.resolve("manifests"));
            DaemonSettings settings =
                    settings(ns, new SourceSettings.Folder(manifests.toString()), PodSettings.NONE, METRICS);
            try (Daemon daemon = Daemon.start(
                    settings,
                    ObjectSource.open(settings),
                    family -> Stream.of(SyncObserver.ofStatus(status -> {
                        if (status.family() == IpFamily.IPV4 && status.state() == FamilyStatus.State.IN_FORCE) {
                            stuck.countDown();
                            await(over);
                        }
                    })),
                    new Supervisor((why, cause) -> ends.add(why), component -> HASTE, System::nanoTime))) {
                StatusReports reports = new StatusReports("test", settings, Instant.now());
                daemon.reports(() -> reports.of(daemon, List.of(), Optional.empty()));
                stuck.await();
                eventually(() -> assertThat(daemon.components())
                        .filteredOn(ComponentState::isFatal)
                        .extracting(ComponentState::component)
                        .containsExactly(Component.DATAPLANE_IPV4));
                assertThat(reports.of(daemon, List.of(), Optional.empty()).health())
                        .satisfies(health -> {
                            assertThat(health.word()).isEqualTo(Health.Word.FAILED);
                            assertThat(health.reasons().toString())
                                    .contains("component dataplane-ipv4 has been silent");
                        });
                assertThat(page(ns, "metrics"))
                        .contains(
                                "dualstackd_component_overdue{component=\"dataplane-ipv4\"} 1.0\n",
                                "dualstackd_component_overdue{component=\"dataplane-ipv6\"} 0.0\n",
                                "dualstackd_degraded{reason=\"component-overdue\"} 1.0\n");
                assertThat(page(ns, "livez?verbose"))
                        .contains("[-]components failed: dataplane-ipv4 has been silent for ");
                eventually(() -> assertThat(ends).isNotEmpty());
                assertThat(ends.getFirst()).startsWith("component dataplane-ipv4 has been silent for ");
                over.countDown();
                eventually(() -> assertThat(daemon.components()).noneMatch(ComponentState::overdue));
            }
        } finally {
            over.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Good or not. */
    private static String page(NetNs ns, String path) throws Exception {
        return ns.call(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), PORT)) {
                socket.getOutputStream()
                        .write(("GET /" + path + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    /** For longer than twice the deadline, which is as long as none of them may be silent. */
    private void beats(Daemon daemon) throws InterruptedException {
        Map<Component, Duration> oldest = new ConcurrentHashMap<>();
        long until = System.nanoTime() + HASTE.multipliedBy(2).plusSeconds(1).toNanos();
        while (System.nanoTime() < until) {
            daemon.components().forEach(state -> {
                assertThat(state.overdue()).as(state.toString()).isFalse();
                assertThat(state.restarts()).as(state.toString()).isZero();
                oldest.merge(state.component(), state.age(), (a, b) -> a.compareTo(b) > 0 ? a : b);
            });
            Thread.sleep(100);
        }
        assertThat(ends).isEmpty();
        assertThat(oldest).isNotEmpty();
    }

    private Daemon start(DaemonSettings settings, Map<Component, Duration> deadlines) throws IOException {
        Function<Component, Duration> hasty = component ->
                component == Component.SUPERVISOR ? component.deadline() : deadlines.getOrDefault(component, HASTE);
        return Daemon.start(
                settings,
                ObjectSource.open(settings),
                family -> Stream.empty(),
                new Supervisor((why, cause) -> ends.add(why), hasty, System::nanoTime));
    }

    private static Set<Component> running(Daemon daemon) {
        return daemon.components().stream().map(ComponentState::component).collect(Collectors.toSet());
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
    }

    /** Threads that were not there before and that the table does not have. */
    private static Set<String> ofNoComponent(Set<String> before) {
        Set<String> unknown = new TreeSet<>(threads());
        unknown.removeAll(before);
        // The supervisor itself logs through it, and a log that nobody reads must not end the process.
        unknown.remove("log");
        // The JDK's: where virtual threads run, what reads inotify, and what cleans up.
        unknown.removeIf(name -> name.matches(
                "(ForkJoinPool|VirtualThread-unparker|Common-Cleaner|Signal Dispatcher|FileSystemWatch.*|Thread-\\d+|process reaper"
                        + "|OkHttp|Okio|MockWebServer|awaitility|fake-runtime|Attach Listener|InotifyThread).*"));
        unknown.removeIf(name -> Component.ofThread(name).isPresent());
        return unknown;
    }

    private static Set<String> ofAComponent(Set<String> before) {
        Set<String> ours = new TreeSet<>(threads());
        ours.removeAll(before);
        ours.removeIf(name -> Component.ofThread(name).isEmpty());
        return ours;
    }

    private FakeRuntime runtime() throws IOException {
        return FakeRuntime.listening(folder.resolve("cri.sock"))
                .answers("ListPodSandbox", request -> ListPodSandboxResponse.getDefaultInstance())
                .answers("ListContainers", request -> ListContainersResponse.getDefaultInstance())
                .sendsEvents();
    }

    private static void up(NetNs ns) throws Exception {
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
        }
    }

    private SourceSettings cluster(TestApiServer server) throws IOException {
        Path kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                users: [{name: u, user: {}}]
                clusters: [{name: c, cluster: {server: "%s"}}]
                """.formatted(server.access().url()));
        return new SourceSettings.Cluster(
                new ClusterSettings(Optional.of(kubeconfig.toString()), Optional.empty(), WireFormat.PROTOBUF, 50, 50),
                new ReportSettings(Optional.of(AddressManagement.PROVIDE), true));
    }

    private DaemonSettings settings(NetNs ns, SourceSettings source, PodSettings pods) {
        return settings(ns, source, pods, ProxyAddresses.NONE);
    }

    private DaemonSettings settings(NetNs ns, SourceSettings source, PodSettings pods, ProxyAddresses pages) {
        NodeSettings node = NodeSettingsBuilder.node("n1")
                .ips("ipv4,ipv6")
                .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                .nodePortsOn(NodePortAddresses.PRIMARY)
                .settings();
        return DaemonSettingsBuilder.daemon(ProxyMode.NFTABLES, source, ns, node)
                .intervals(new SyncIntervals(Duration.ZERO, Duration.ofHours(10), Duration.ofSeconds(1)))
                .endpoints(pages)
                .pods(pods)
                .settings();
    }
}
