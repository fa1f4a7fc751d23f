package io.dualstackd.agent.app;

import static io.dualstackd.agent.app.RenumberedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.explain.ExplanationText;
import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.PodIP;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxNetworkStatus;
import io.dualstackd.cri.v1.PodSandboxStatus;
import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.io.TestApiServer;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A daemon with an API server: over TLS, with a real kernel behind it, through an outage that is longer than the daemon's life. */
@Tag("kernel")
final class ClusterDaemonTest {
    private static final String NODE = "n1";
    private static final String DUAL_STACK = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec:
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10, "fd00:10:96::10"]
              ipFamilyPolicy: RequireDualStack
              ipFamilies: [IPv4, IPv6]
              ports: [{port: 80}]
            """;

    @TempDir
    private Path folder;

    /** The loopback interface is up, and the server takes events. */
    private static void prepare(NetNs ns, TestApiServer server) throws Exception {
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
        }
        server.others(request -> new MockResponse.Builder()
                .code(201)
                .addHeader("Content-Type", "application/json")
                .body("{}")
                .build());
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void keepsRulesDuringApiServerOutage(ProxyMode mode) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                TestApiServer server = TestApiServer.tls("127.0.0.1")) {
            prepare(ns, server);
            put(server, """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n1}
                    status: {addresses: [{type: InternalIP, address: 192.0.2.10}]}
                    """);
            put(server, DUAL_STACK);
            slices(server, "10.244.0.5", "fd00:10:244::5");

            try (Daemon daemon = Daemon.start(settings(mode, server, ns), status -> {})) {
                leadsTo(daemon, "10.244.0.5", "fd00:10:244::5");
                eventually(() -> assertThat(server.requests(line -> line.startsWith("POST ")))
                        .anySatisfy(post -> assertThat(
                                        Objects.requireNonNull(post.getBody()).utf8())
                                .contains("\"reason\":\"Starting\"")));
                slices(server, "10.244.0.6", "fd00:10:244::6");
                leadsTo(daemon, "10.244.0.6", "fd00:10:244::6");
                assertThat(daemon.source().outageReason()).isEmpty();
                assertThat(daemon.source().lastContact()).isPresent();
            }

            server.stop();
            String rules = rules(ns, mode);
            try (Daemon daemon = Daemon.start(settings(mode, server, ns), status -> {})) {
                eventually(() -> assertThat(daemon.source().outageReason())
                        .hasValueSatisfying(why -> assertThat(why).contains("rules stay as they are")));
                assertThat(daemon.synced()).isFalse();
                assertThat(rules(ns, mode)).isEqualTo(rules);
            }
            try (Daemon daemon = Daemon.start(settings(mode, server, ns), status -> {})) {
                eventually(() -> assertThat(daemon.source().outageReason()).isPresent());
                slices(server, "10.244.0.7", "fd00:10:244::7");
                assertThat(rules(ns, mode)).isEqualTo(rules);
                server.start();
                leadsTo(daemon, "10.244.0.7", "fd00:10:244::7");
                eventually(() -> assertThat(daemon.source().outageReason()).isEmpty());
            }
        }
    }

    /** Its name may differ from the host's: no endpoint is local then, and load balancers leave the node out. */
    @Test
    void aMissingNodeObjectIsReported() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                TestApiServer server = TestApiServer.tls("127.0.0.1")) {
            prepare(ns, server);
            put(server, DUAL_STACK);
            try (Daemon daemon = Daemon.start(settings(ProxyMode.NFTABLES, server, ns), status -> {})) {
                eventually(() -> assertThat(daemon.source().nodeProblems())
                        .singleElement(STRING)
                        .startsWith("there is no Node n1: ")
                        .endsWith("see --hostname-override"));
                assertThat(daemon.source().outageReason()).isEmpty();
                put(server, "{apiVersion: v1, kind: Node, metadata: {name: n1}}");
                eventually(() -> assertThat(daemon.source().nodeProblems()).isEmpty());
                server.delete(new ObjectKey(ObjectKey.Kind.NODE, "", "n1"));
                eventually(() -> assertThat(daemon.source().nodeProblems())
                        .singleElement(STRING)
                        .startsWith("the Node n1 was deleted: "));
            }
        }
    }

    /** With a state directory: nothing is listed again, and what changed meanwhile is in force. */
    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void aRestartGoesOnFromTheObjectsOfTheFormerProcess(ProxyMode mode) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                TestApiServer server = TestApiServer.tls("127.0.0.1")) {
            prepare(ns, server);
            put(server, "{apiVersion: v1, kind: Node, metadata: {name: n1}}");
            put(server, DUAL_STACK);
            slices(server, "10.244.0.5", "fd00:10:244::5");
            DaemonSettings settings =
                    builder(mode, server, ns).state(folder.resolve("state")).settings();
            try (Daemon daemon = Daemon.start(settings, status -> {})) {
                leadsTo(daemon, "10.244.0.5", "fd00:10:244::5");
            }
            assertThat(folder.resolve("state/cluster.snapshot")).exists();
            String rules = rules(ns, mode);
            int lists = lists(server);

            try (Daemon daemon = Daemon.start(settings, status -> {})) {
                leadsTo(daemon, "10.244.0.5", "fd00:10:244::5");
                assertThat(lists(server)).isEqualTo(lists);
                assertThat(rules(ns, mode)).isEqualTo(rules);
            }
            slices(server, "10.244.0.6", "fd00:10:244::6");
            try (Daemon daemon = Daemon.start(settings, status -> {})) {
                leadsTo(daemon, "10.244.0.6", "fd00:10:244::6");
                assertThat(lists(server)).isEqualTo(lists);
            }
        }
    }

    /** Another cluster may be behind the same URL then, and its versions may be later than those of the former one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void objectsOfAServerThatNothingIdentifiesAreNotKeptForTheNextProcess(boolean secure) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                TestApiServer server = secure ? TestApiServer.tls("127.0.0.1") : TestApiServer.plain()) {
            prepare(ns, server);
            put(server, "{apiVersion: v1, kind: Node, metadata: {name: n1}}");
            put(server, DUAL_STACK);
            slices(server, "10.244.0.5", "fd00:10:244::5");
            ClusterSettings api = api("{server: \"%s\", insecure-skip-tls-verify: %s}"
                    .formatted(server.access().url(), secure));
            DaemonSettings settings = builder(ProxyMode.NFTABLES, api, ns)
                    .state(folder.resolve("state"))
                    .settings();
            try (Daemon daemon = Daemon.start(settings, status -> {})) {
                leadsTo(daemon, "10.244.0.5", "fd00:10:244::5");
            }
            assertThat(folder.resolve("state/cluster.snapshot")).doesNotExist();
        }
    }

    private static int lists(TestApiServer server) {
        return server.requests(line -> (line.contains("/services") || line.contains("/endpointslices"))
                        && (line.contains("sendInitialEvents") || !line.contains("watch=true")))
                .size();
    }

    /** The pod runs and its probe fails: the runtime knows only the first. */
    @Test
    void theClusterDecidesWhichPodIsReady() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                TestApiServer server = TestApiServer.tls("127.0.0.1");
                FakeRuntime ignored = runtimeWithPod("10.244.0.5", "fd00:10:244::5")) {
            prepare(ns, server);
            put(server, "{apiVersion: v1, kind: Node, metadata: {name: n1}}");
            put(server, """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: web, namespace: shop}
                    spec: {clusterIP: 10.96.0.10, selector: {app: web}, ports: [{port: 80}]}
                    """);
            put(server, """
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
                    addressType: IPv4
                    ports: [{port: 80}]
                    endpoints: [{addresses: [10.244.0.5], nodeName: n1, conditions: {ready: false, serving: false}}]
                    """);
            PodSettings pods = new PodSettings(
                    Optional.of(RuntimeEndpoint.parse("unix://" + folder.resolve("cri.sock"))), PodCidrs.NONE, true);
            NodeSettings node = NodeSettingsBuilder.node(NODE)
                    .ips("ipv4,ipv6")
                    .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                    .settings();
            DaemonSettings settings = DaemonSettingsBuilder.daemon(
                            ProxyMode.NFTABLES, new SourceSettings.Cluster(api(server)), ns, node)
                    .pods(pods)
                    .settings();
            try (Daemon daemon = Daemon.start(settings, status -> {})) {
                eventually(() -> assertThat(daemon.pods().orElseThrow().pods().all())
                        .hasSize(1)
                        .allSatisfy(pod -> assertThat(pod.isReady()).isTrue()));
                eventually(() -> assertThat(daemon.size().services()).isEqualTo(1));
                eventually(() -> assertThat(daemon.statuses())
                        .allSatisfy(status -> assertThat(status.state()).isEqualTo(State.IN_FORCE)));
                assertThat(daemon.size().slices()).isEqualTo(1);
                assertThat(explain(daemon, "192.0.2.1", "10.96.0.10:80"))
                        .contains("no endpoint")
                        .doesNotContain("10.244.0.5");
            }
        }
    }

    private FakeRuntime runtimeWithPod(String ip, String second) throws Exception {
        PodSandboxMetadata metadata = PodSandboxMetadata.newBuilder()
                .setName("web-0")
                .setNamespace("shop")
                .setUid("u-1")
                .build();
        return FakeRuntime.listening(folder.resolve("cri.sock"))
                .answers(
                        "ListPodSandbox",
                        request -> ListPodSandboxResponse.newBuilder()
                                .addItems(PodSandbox.newBuilder()
                                        .setId("s-1")
                                        .setMetadata(metadata)
                                        .putLabels("app", "web"))
                                .build())
                .answers("ListContainers", request -> ListContainersResponse.getDefaultInstance())
                .answers(
                        "PodSandboxStatus",
                        request -> PodSandboxStatusResponse.newBuilder()
                                .setStatus(PodSandboxStatus.newBuilder()
                                        .setId("s-1")
                                        .setMetadata(metadata)
                                        .setNetwork(PodSandboxNetworkStatus.newBuilder()
                                                .setIp(ip)
                                                .addAdditionalIps(
                                                        PodIP.newBuilder().setIp(second))))
                                .build())
                .sendsEvents();
    }

    @Test
    void ownAddressesInUseAreEventsOfTheNodeAndShownInItsStatus() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                TestApiServer server = TestApiServer.tls("127.0.0.1")) {
            prepare(ns, server);
            InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
            try (ServerSocket taken = ns.call(() -> new ServerSocket(0, 1, loopback))) {
                Listening where = new Listening(Optional.of(Ip.parse("127.0.0.1")), taken.getLocalPort());
                ProxyAddresses endpoints = new ProxyAddresses(Optional.of(where), Optional.of(where), false);
                try (Daemon daemon = Daemon.start(settings(ProxyMode.NFTABLES, server, ns, endpoints), status -> {})) {
                    assertThat(daemon.closedHealthPorts())
                            .hasSize(2)
                            .anySatisfy(port -> assertThat(port).startsWith(where + " healthz: "))
                            .anySatisfy(port -> assertThat(port).startsWith(where + " metrics: "));
                    for (String reason : List.of("FailedToStartProxierHealthcheck", "FailedToStartMetricServer")) {
                        eventually(() -> assertThat(server.requests(line -> line.startsWith("POST ")))
                                .anySatisfy(post -> assertThat(Objects.requireNonNull(post.getBody())
                                                .utf8())
                                        .contains("\"reason\":\"" + reason + "\"")
                                        .contains("\"kind\":\"Node\"")
                                        .contains("127.0.0.1:" + taken.getLocalPort())));
                    }
                    taken.close();
                    eventually(() -> assertThat(daemon.closedHealthPorts())
                            .as("one of two")
                            .hasSize(1));
                }
            }
        }
    }

    @Test
    void otherNodeIpsReachTheNodeObjectWithoutARestart() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                TestApiServer server = TestApiServer.tls("127.0.0.1")) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("ip", "link", "set", "lo", "up");
            commands.run("ip", "address", "add", "192.0.2.10/32", "dev", "lo");
            commands.run("ip", "address", "add", "192.0.2.11/32", "dev", "lo");
            put(server, "{apiVersion: v1, kind: Node, metadata: {name: n1}}");
            AtomicReference<String> addresses = new AtomicReference<>("[]");
            server.others(request -> {
                String body = request.getBody() == null ? "" : request.getBody().utf8();
                Matcher written = Pattern.compile("\"addresses\":(\\[[^]]*])").matcher(body);
                if (written.find()) {
                    addresses.set(written.group(1));
                }
                return new MockResponse.Builder()
                        .addHeader("Content-Type", "application/json")
                        .body(
                                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"1\"},"
                                        + "\"status\":{\"addresses\":" + addresses.get() + "}}")
                        .build();
            });
            try (Daemon daemon = Daemon.start(providing(server, ns, "192.0.2.10"), status -> {})) {
                eventually(() -> assertThat(addresses.get()).contains("192.0.2.10"));

                daemon.follow(providing(server, ns, "192.0.2.11"));
                eventually(
                        () -> assertThat(addresses.get()).contains("192.0.2.11").doesNotContain("192.0.2.10"));
            }
        }
    }

    /** Settings of a node that is its own provider of addresses. */
    private DaemonSettings providing(TestApiServer server, NetNs ns, String nodeIps) throws Exception {
        NodeSettings node = NodeSettingsBuilder.node(NODE)
                .ips(nodeIps)
                .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                .settings();
        ReportSettings reports = new ReportSettings(Optional.of(AddressManagement.PROVIDE), false);
        return DaemonSettingsBuilder.daemon(
                        ProxyMode.NFTABLES, new SourceSettings.Cluster(api(server), reports), ns, node)
                .settings();
    }

    private static void put(TestApiServer server, String yaml) {
        var decoded = Manifests.decode("object.yaml", yaml);
        assertThat(decoded.problems()).isEmpty();
        decoded.objects().forEach(locatedObject -> server.put(locatedObject.object()));
    }

    private static void slices(TestApiServer server, String ipv4, String ipv6) {
        for (String ip : new String[] {ipv4, ipv6}) {
            String family = ip.contains(":") ? "IPv6" : "IPv4";
            put(server, """
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: web-%s, namespace: shop, labels: {kubernetes.io/service-name: web}}
                    addressType: %s
                    ports: [{port: 8080}]
                    endpoints: [{addresses: ["%s"]}]
                    """.formatted(family.toLowerCase(Locale.ROOT), family, ip));
        }
    }

    /** Waits until packets lead to these endpoints, by the plan and by the rules in the kernel. */
    private static void leadsTo(Daemon daemon, String ipv4, String ipv6) {
        eventually(() -> {
            assertThat(daemon.statuses())
                    .allSatisfy(status -> assertThat(status.state()).isEqualTo(State.IN_FORCE));
            assertThat(explain(daemon, "192.0.2.1", "10.96.0.10:80"))
                    .contains("  " + ipv4 + ":8080")
                    .contains(", does the same, by\n");
            assertThat(explain(daemon, "2001:db8::1", "[fd00:10:96::10]:80"))
                    .contains("  [" + ipv6 + "]:8080")
                    .contains(", does the same, by\n");
        });
    }

    private static String explain(Daemon daemon, String from, String to) {
        return ExplanationText.of(daemon.explainer().explain(ExplainRequest.parse(from, to, "")));
    }

    private static String rules(NetNs ns, ProxyMode mode) throws Exception {
        NetNsCommands commands = new NetNsCommands(ns);
        return switch (mode) {
            case IPTABLES -> commands.saved("iptables-save") + commands.saved("ip6tables-save");
            case NFTABLES -> commands.run("nft", "list", "ruleset");
            case IPVS -> throw new IllegalArgumentException("the kernel of this test need not have IPVS");
        };
    }

    private DaemonSettings settings(ProxyMode mode, TestApiServer server, NetNs ns) throws Exception {
        return settings(mode, server, ns, ProxyAddresses.NONE);
    }

    private DaemonSettings settings(ProxyMode mode, TestApiServer server, NetNs ns, ProxyAddresses endpoints)
            throws Exception {
        return builder(mode, server, ns).endpoints(endpoints).settings();
    }

    private DaemonSettingsBuilder builder(ProxyMode mode, TestApiServer server, NetNs ns) throws Exception {
        return builder(mode, api(server), ns);
    }

    private static DaemonSettingsBuilder builder(ProxyMode mode, ClusterSettings api, NetNs ns) throws Exception {
        NodeSettings node = NodeSettingsBuilder.node(NODE)
                .ips("ipv4,ipv6")
                .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                .nodePortsOn(NodePortAddresses.PRIMARY)
                .settings();
        return DaemonSettingsBuilder.daemon(mode, new SourceSettings.Cluster(api), ns, node);
    }

    private ClusterSettings api(TestApiServer server) throws Exception {
        String authority = Base64.getEncoder()
                .encodeToString(server.access().authorities().orElseThrow().getBytes(StandardCharsets.US_ASCII));
        return api("{server: \"%s\", certificate-authority-data: %s}"
                .formatted(server.access().url(), authority));
    }

    private ClusterSettings api(String cluster) throws Exception {
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                users: [{name: u, user: {token: secret}}]
                clusters: [{name: c, cluster: %s}]
                """.formatted(cluster));
        return new ClusterSettings(Optional.of(kubeconfig.toString()), Optional.empty(), WireFormat.PROTOBUF, 50, 50);
    }
}
