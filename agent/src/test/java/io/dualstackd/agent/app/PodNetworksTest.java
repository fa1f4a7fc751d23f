package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.supervision.io.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class PodNetworksTest {
    private static final SourceSettings CLUSTER = new SourceSettings.Cluster(
            new ClusterSettings(Optional.empty(), Optional.empty(), WireFormat.PROTOBUF, 5, 10));

    private final Store store = new Store();
    private NetNs ns;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
    }

    @AfterEach
    void close() {
        ns.close();
    }

    private PodNetworks networks(SourceSettings source, DetectLocal detect) {
        NodeSettings node = NodeSettingsBuilder.node("n").detectLocal(detect).settings();
        DaemonSettings settings = DaemonSettingsBuilder.daemon(ProxyMode.IPTABLES, source, ns, node)
                .settings();
        return new PodNetworks(
                settings.toBuilder()
                        .missing(Map.of(IpFamily.IPV6, "switched off"))
                        .build(),
                () -> node,
                store);
    }

    private void node(String... podCidrs) {
        store.apply(List.of(new Update.Put(
                new Node("n", "", Stream.of(podCidrs).map(IpPrefix::parse).toList(), List.of(), List.of(), false))));
    }

    /** The pods of a node live on when somebody deletes its object; kube-proxy keeps their networks, too. */
    @Test
    void networksStayWhenTheNodeObjectGoes() {
        PodNetworks cluster = networks(CLUSTER, new DetectLocal.NodeCidr());
        store.markSynced();
        node("10.0.0.0/24");
        assertThat(cluster.withLastKnown(store.node("n"))).isEqualTo(store.node("n"));
        store.apply(List.of(new Update.Gone(store.node("n").orElseThrow().key())));
        assertThat(cluster.withLastKnown(store.node("n")).orElseThrow().podCidrs())
                .containsExactly(IpPrefix.parse("10.0.0.0/24"));
        assertThat(cluster.awaited()).isEmpty();
        node();
        assertThat(cluster.withLastKnown(store.node("n")).orElseThrow().podCidrs())
                .containsExactly(IpPrefix.parse("10.0.0.0/24"));
        node("10.0.1.0/24");
        assertThat(cluster.withLastKnown(store.node("n"))).isEqualTo(store.node("n"));
    }

    /** Endpoints of other zones would get traffic until kubelet has registered the node again. */
    @Test
    void theZoneStaysWhenTheNodeObjectGoes() {
        PodNetworks cluster = networks(CLUSTER, new DetectLocal.ClusterCidr(List.of()));
        PodNetworks folder = networks(new SourceSettings.Folder("/m"), new DetectLocal.ClusterCidr(List.of()));
        Node node = new Node("n", "zone-a", List.of(), List.of(), List.of(), false);
        assertThat(cluster.withLastKnown(Optional.of(node))).contains(node);
        assertThat(cluster.withLastKnown(Optional.empty())).contains(node);
        assertThat(folder.withLastKnown(Optional.of(node))).contains(node);
        assertThat(folder.withLastKnown(Optional.empty()))
                .as("its file was removed")
                .isEmpty();
    }

    /** Else node ports would answer at an address that the daemon finds itself, and no longer at the one that clients know. */
    @Test
    void theAddressesStayWhenTheNodeObjectGoesOrHasNone() {
        PodNetworks cluster = networks(CLUSTER, new DetectLocal.ClusterCidr(List.of()));
        Node without = new Node("n", "", List.of(), List.of(), List.of(), false);
        assertThat(cluster.addressed(Optional.empty())).isEmpty();
        assertThat(cluster.addressed(Optional.of(without))).contains(without);
        Node first = nodeWith("192.0.2.1");
        assertThat(cluster.addressed(Optional.of(first))).contains(first);
        assertThat(cluster.addressed(Optional.empty())).contains(first);
        assertThat(cluster.addressed(Optional.of(without))).contains(first);
        Node second = nodeWith("192.0.2.2");
        assertThat(cluster.addressed(Optional.of(second))).contains(second);

        PodNetworks folder = networks(new SourceSettings.Folder("/m"), new DetectLocal.ClusterCidr(List.of()));
        assertThat(folder.addressed(Optional.of(first))).contains(first);
        assertThat(folder.addressed(Optional.empty()))
                .as("its file was removed")
                .isEmpty();
    }

    private static Node nodeWith(String address) {
        return new Node(
                "n", "", List.of(), List.of(new Node.Address("InternalIP", Ip.parse(address))), List.of(), false);
    }

    @Test
    void rulesWaitForThemInAClusterOnly() {
        PodNetworks cluster = networks(CLUSTER, new DetectLocal.NodeCidr());
        assertThat(cluster.awaited()).isEmpty();
        store.markSynced();
        assertThat(cluster.awaited())
                .contains("detectLocalMode NodeCIDR waits for spec.podCIDRs of Node n: there is no such Node; see"
                        + " --hostname-override");
        assertThat(networks(CLUSTER, new DetectLocal.ClusterCidr(List.of())).isKnown())
                .isTrue();
        assertThat(networks(new SourceSettings.Folder("/m"), new DetectLocal.NodeCidr())
                        .isKnown())
                .isTrue();
        node();
        assertThat(cluster.awaited().orElseThrow())
                .endsWith("it has none; does the controller manager run with" + " --allocate-node-cidrs?");
        node("fd00::/64");
        assertThat(cluster.awaited().orElseThrow())
                .endsWith("they are [fd00::/64], of a family this host does not have");
        node("fd00::/64", "10.0.0.0/24");
        assertThat(cluster.isKnown()).isTrue();
    }

    /** {@code --pod-cidr}: on clusters whose controller manager gives nodes no networks. */
    @Test
    void givenNetworksAreKnown() {
        store.markSynced();
        node();
        assertThat(networks(CLUSTER, new DetectLocal.NodeCidr(List.of(IpPrefix.parse("10.0.0.0/24"))))
                        .awaited())
                .isEmpty();
        assertThat(networks(CLUSTER, new DetectLocal.NodeCidr(List.of(IpPrefix.parse("fd00::/64"))))
                        .awaited())
                .isPresent();
    }

    /** A reload asks before it changes anything. */
    @Test
    void settingsThatAreNotInForceAreJudged() {
        store.markSynced();
        node();
        PodNetworks cluster = networks(CLUSTER, new DetectLocal.ClusterCidr(List.of()));
        assertThat(cluster.awaited()).isEmpty();
        assertThat(cluster.awaited(NodeSettingsBuilder.node("n")
                        .detectLocal(new DetectLocal.NodeCidr())
                        .settings()))
                .isPresent();
    }

    @Test
    void givesUpAfterTheDeadline() throws Exception {
        store.markSynced();
        PodNetworks cluster = networks(CLUSTER, new DetectLocal.NodeCidr());
        CountDownLatch gaveUp = new CountDownLatch(1);
        try (StartupDeadline ignored = StartupDeadline.start(
                Duration.ofMillis(1), store::isSynced, cluster::awaited, gaveUp::countDown, Supervisor.none())) {
            assertThat(gaveUp.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
