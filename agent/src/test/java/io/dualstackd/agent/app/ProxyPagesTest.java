package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.Reports;
import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.ConfigText;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.health.io.HealthState;
import io.dualstackd.pages.metrics.FamilyMeter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages of a daemon whose reconcilers are simulated by the test. */
final class ProxyPagesTest {
    private static final SourceSettings FOLDER = new SourceSettings.Folder("/nowhere");
    private static final SourceSettings CLUSTER = new SourceSettings.Cluster(
            new ClusterSettings(Optional.empty(), Optional.empty(), WireFormat.PROTOBUF, 5, 10));

    private static final String NODE = "n";

    private final Store store = new Store();
    private NetNs ns;
    private ObjectSource unread;
    private final HealthState board = new HealthState(Clock.systemUTC(), Duration.ofHours(1));

    @BeforeEach
    void start() throws Exception {
        ns = NetNs.current();
        unread = ObjectSource.open(settings(FOLDER));
    }

    @AfterEach
    void end() {
        ns.close();
    }

    private DaemonSettings settings(SourceSettings source) {
        NodeSettings node = NodeSettingsBuilder.node(NODE)
                .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                .localhostNodePorts(true)
                .settings();
        return DaemonSettingsBuilder.daemon(ProxyMode.NFTABLES, source, ns, node)
                .settings();
    }

    private ProxyPages pages(SourceSettings source) {
        List<FamilyMeter> meters = Stream.of(IpFamily.values())
                .map(family -> new FamilyMeter(family, Instant.EPOCH, () -> ChangeMetadata.Counts.NONE))
                .toList();
        DaemonSettings settings = settings(source);
        PodNetworks networks = new PodNetworks(settings, settings::node, store);
        return new ProxyPages(settings, store, board, meters, List.of(), unread, List::of, networks::withLastKnown);
    }

    private static HttpAnswer healthz(ProxyPages pages) {
        return pages.healthz().answer(HttpRequest.get("/healthz"));
    }

    private static HttpAnswer read(ProxyPages pages, String path) {
        return pages.metrics().answer(HttpRequest.get(path));
    }

    private void node(List<String> taints, boolean deleting) {
        store.apply(List.of(new Update.Put(new Node(NODE, "", List.of(), List.of(), taints, deleting))));
    }

    /** What kube-proxy reports about its node, case by case. */
    @ParameterizedTest(name = "taints {0}, deleting {1}: {2}")
    @CsvSource({
        "'', false, 200",
        "ToBeDeletedByClusterAutoscaler, false, 503",
        "other ToBeDeletedByClusterAutoscaler, false, 503",
        "DeletionCandidateOfClusterAutoscaler, false, 200",
        "'', true, 503"
    })
    void loadBalancersLeaveANodeThatGoes(String taints, boolean deleting, int status) {
        ProxyPages pages = pages(CLUSTER);
        node(taints.isEmpty() ? List.of() : List.of(taints.split(" ")), deleting);
        assertThat(healthz(pages).status()).isEqualTo(status);
        assertThat(pages.healthz().answer(HttpRequest.get("/livez")).status()).isEqualTo(200);
        node(List.of(), false);
        assertThat(healthz(pages).status()).isEqualTo(200);
    }

    /** kubelet registers it again; kube-proxy keeps what it knew, too. */
    @Test
    void aNodeWhoseObjectIsDeletedIsAsItWas() {
        ProxyPages pages = pages(CLUSTER);
        node(List.of("ToBeDeletedByClusterAutoscaler"), false);
        assertThat(healthz(pages).status()).isEqualTo(503);
        Update.Gone gone = new Update.Gone(store.node(NODE).orElseThrow().key());
        store.apply(List.of(gone));
        assertThat(healthz(pages).status()).isEqualTo(503);
        node(List.of(), false);
        assertThat(healthz(pages).status()).isEqualTo(200);
        store.apply(List.of(gone));
        assertThat(healthz(pages).status()).isEqualTo(200);
    }

    /** A kubelet asks at the node's address. */
    @Test
    void readinessIsBesideHealthToo() {
        ProxyPages pages = pages(FOLDER);
        HttpRequest question = HttpRequest.get("/readyz");
        assertThat(pages.healthz().answer(question)).isEqualTo(read(pages, "/readyz"));
        assertThat(pages.healthz().answer(question).status()).isEqualTo(500);
        store.markSynced();
        board.updated(IpFamily.IPV4);
        board.updated(IpFamily.IPV6);
        assertThat(pages.healthz().answer(question)).isEqualTo(HttpAnswer.text(200, "ok"));
    }

    @Test
    void loadBalancersDoNotWaitForCountersOrTheStatus() {
        ProxyPages pages = pages(FOLDER);
        assertThat(pages.metrics().paths().stream()
                        .filter(path -> pages.metrics().takesLong(HttpRequest.get(path))))
                .containsExactly("/metrics", "/metrics/services", "/statusz");
        assertThat(pages.healthz().paths()).noneMatch(path -> pages.healthz().takesLong(HttpRequest.get(path)));
    }

    @Test
    void unknownNodeIsEligibleOnlyWithoutApiServer() {
        assertThat(healthz(pages(FOLDER)).status()).isEqualTo(200);
        assertThat(healthz(pages(CLUSTER)).status()).isEqualTo(503);
    }

    /** The objects of the former process are there, and its rules are in force; the Node object is known when the server has answered. */
    @Test
    void aRestartWithoutApiServerKeepsTheNodeEligible() {
        store.apply(List.of(new Update.Put(
                Manifests.decode("web.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}
                """).objects().getFirst().object())));
        assertThat(healthz(pages(CLUSTER)).status()).isEqualTo(200);
        store.markSynced();
        assertThat(healthz(pages(CLUSTER)).status()).isEqualTo(503);
    }

    @Test
    void readyIsWhoHasBothFamiliesInForce() {
        ProxyPages pages = pages(FOLDER);
        assertThat(read(pages, "/readyz").body()).isEqualTo("""
                [+]ping ok
                [-]sources failed: the source of Services is still being read
                [-]ipv4-rules failed: the rules are not in force yet
                [-]ipv6-rules failed: the rules are not in force yet
                readyz check failed
                """);
        assertThat(read(pages, "/livez")).isEqualTo(HttpAnswer.text(200, "ok"));
        store.markSynced();
        board.updated(IpFamily.IPV4);
        assertThat(read(pages, "/readyz").status()).isEqualTo(500);
        board.updated(IpFamily.IPV6);
        assertThat(read(pages, "/readyz")).isEqualTo(HttpAnswer.text(200, "ok"));
        assertThat(read(pages, "/metrics/slis").body())
                .contains(
                        "kubernetes_healthcheck{name=\"ipv6-rules\",type=\"readyz\"} 1.0",
                        "kubernetes_healthchecks_total{name=\"ipv6-rules\",status=\"error\",type=\"readyz\"} 2.0",
                        "kubernetes_healthchecks_total{name=\"ipv6-rules\",status=\"success\",type=\"readyz\"} 2.0");
    }

    @Test
    void probesAreCounted() {
        ProxyPages pages = pages(FOLDER);
        pages.reports(Reports::healthy);
        healthz(pages);
        healthz(pages);
        node(List.of(), true);
        healthz(pages);
        assertThat(read(pages, "/metrics").body())
                .contains(
                        "kubeproxy_proxy_healthz_total{code=\"200\"} 2.0",
                        "kubeproxy_proxy_healthz_total{code=\"503\"} 1.0",
                        "kubeproxy_proxy_livez_total{code=\"200\"} 0.0",
                        "process_resident_memory_bytes ");
    }

    @Test
    void theConfigurationInForceIsShown() {
        ProxyPages pages = pages(FOLDER);
        assertThat(read(pages, "/configz").status()).isEqualTo(404);
        Map<Key, String> flags = new EnumMap<>(Key.class);
        flags.put(Key.BIND_ADDRESS, "::");
        ConfigReader.Input input = new ConfigReader.Input(Optional.empty(), Optional.empty(), flags);
        assertThat(ConfigReader.read(input)).isInstanceOfSatisfying(ConfigResult.Usable.class, usable -> {
            pages.shows(ConfigText.shown(usable.given()));
            assertThat(read(pages, "/configz").body())
                    .contains("{\"kubeproxy.config.k8s.io\": {", "\"bindAddress\": \"::\"", "\"maxPerCore\": 32768");
            assertThat(read(pages, "/flagz").body())
                    .contains("\nbind-address=::\n", "\nconntrack-max-per-core=32768\n");
        });
        assertThat(read(pages, "/statusz").body()).contains("Paths: /configz /flagz /healthz /livez /metrics");
    }
}
