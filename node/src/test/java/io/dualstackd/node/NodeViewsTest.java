package io.dualstackd.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class NodeViewsTest {
    private static final Node NODE =
            (Node) Manifests.decode("n", """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n1, labels: {topology.kubernetes.io/zone: a}}
                    spec: {podCIDRs: [10.1.0.0/24, "fd00:1::/64"]}
                    status: {addresses: [{type: ExternalIP, address: 203.0.113.2}, {type: InternalIP, address: 192.168.0.2}]}
                    """).objects().getFirst().object();

    private static NodeSettings settings(Optional<String> zone, DetectLocal detectLocal, NodePortAddresses nodePorts) {
        return NodeSettingsBuilder.node("n1")
                .zone(zone)
                .detectLocal(detectLocal)
                .nodePortsOn(nodePorts)
                .localhostNodePorts(true)
                .settings();
    }

    private static OwnAddresses holding(String... ips) {
        return new OwnAddresses(Optional.empty(), Stream.of(ips).map(Ip::parse).toList());
    }

    private static NodeView view(DetectLocal detectLocal, Optional<Node> node, IpFamily family) {
        NodeSettings settings = settings(Optional.empty(), detectLocal, NodePortAddresses.ALL);
        return NodeViews.of(settings, node, holding("10.9.9.9"), List.of(), family);
    }

    @Test
    void nodeObjectSuppliesUnsetSettings() {
        NodeView view = view(new DetectLocal.NodeCidr(), Optional.of(NODE), IpFamily.IPV4);
        assertThat(view.zone()).isEqualTo("a");
        assertThat(view(new DetectLocal.NodeCidr(), Optional.empty(), IpFamily.IPV4)
                        .zone())
                .isEmpty();
    }

    @Test
    void settingsWin() {
        NodeSettings settings = settings(Optional.of("b"), new DetectLocal.NodeCidr(), NodePortAddresses.ALL);
        NodeView view = NodeViews.of(settings, Optional.of(NODE), OwnAddresses.NONE, List.of(), IpFamily.IPV4);
        assertThat(view.zone()).isEqualTo("b");
    }

    @Test
    void howPodsAreRecognised() {
        assertThat(view(new DetectLocal.NodeCidr(), Optional.of(NODE), IpFamily.IPV6)
                        .detector())
                .isEqualTo(new LocalDetector.SourceIn(IpPrefix.parse("fd00:1::/64")));
        assertThat(view(new DetectLocal.NodeCidr(), Optional.empty(), IpFamily.IPV6)
                        .detector())
                .isEqualTo(LocalDetector.NONE);
        DetectLocal cluster = new DetectLocal.ClusterCidr(List.of(IpPrefix.parse("10.0.0.0/8")));
        assertThat(view(cluster, Optional.of(NODE), IpFamily.IPV4).detector())
                .isEqualTo(new LocalDetector.SourceIn(IpPrefix.parse("10.0.0.0/8")));
        assertThat(view(cluster, Optional.of(NODE), IpFamily.IPV6).detector()).isEqualTo(LocalDetector.NONE);
        assertThat(view(new DetectLocal.Bridge("br0"), Optional.empty(), IpFamily.IPV4)
                        .detector())
                .isEqualTo(new LocalDetector.FromBridge("br0"));
        assertThat(view(new DetectLocal.InterfacePrefix("veth"), Optional.empty(), IpFamily.IPV4)
                        .detector())
                .isEqualTo(new LocalDetector.FromInterfacePrefix("veth"));
    }

    /** Without a cluster there is often no Node object, and pods would be treated as clients from outside. */
    @Test
    void givenPodNetworksCountWhereTheNodeObjectHasNone() {
        DetectLocal given =
                new DetectLocal.NodeCidr(List.of(IpPrefix.parse("10.8.0.0/24"), IpPrefix.parse("fd00:8::/64")));
        assertThat(view(given, Optional.empty(), IpFamily.IPV4).detector())
                .isEqualTo(new LocalDetector.SourceIn(IpPrefix.parse("10.8.0.0/24")));
        assertThat(view(given, Optional.empty(), IpFamily.IPV6).detector())
                .isEqualTo(new LocalDetector.SourceIn(IpPrefix.parse("fd00:8::/64")));
        assertThat(view(given, Optional.of(NODE), IpFamily.IPV6).detector())
                .as("the Node object comes first")
                .isEqualTo(new LocalDetector.SourceIn(IpPrefix.parse("fd00:1::/64")));
    }

    /** Otherwise every new address on any interface would change the rules of all Services. */
    @Test
    void anAddressChangesThePlanOnlyWhereNodePortsAskForIt() {
        NodePortAddresses within = new NodePortAddresses.Within(List.of(IpPrefix.parse("10.0.0.0/8")));
        assertThat(planner(within, "10.9.9.9", "169.254.3.4").plansAs(planner(within, "10.9.9.9")))
                .as("a pod that comes and goes changes nothing")
                .isTrue();
        assertThat(planner(within, "10.9.9.9", "10.9.9.10").plansAs(planner(within, "10.9.9.9")))
                .isFalse();
        assertThat(planner(NodePortAddresses.ALL, "10.9.9.9", "10.9.9.10")
                        .plansAs(planner(NodePortAddresses.ALL, "10.9.9.9")))
                .isTrue();
    }

    private static Planner planner(NodePortAddresses nodePorts, String... addresses) {
        return Planner.of(NodeViews.of(
                settings(Optional.empty(), new DetectLocal.NodeCidr(), nodePorts),
                Optional.empty(),
                holding(addresses),
                List.of(),
                IpFamily.IPV4));
    }

    @Test
    void primaryMeansTheNodesOwnAddress() {
        NodeView view = NodeViews.of(
                settings(Optional.empty(), new DetectLocal.NodeCidr(), NodePortAddresses.PRIMARY),
                Optional.of(NODE),
                new OwnAddresses(
                        Optional.of(Ip.parse("192.168.0.2")), List.of(Ip.parse("10.9.9.9"), Ip.parse("192.168.0.2"))),
                List.of(),
                IpFamily.IPV4);
        assertThat(NodePlanner.plan(view).nodePorts())
                .isEqualTo(new NodePortMatch.Only(List.of(Ip.parse("192.168.0.2"))));
    }

    @Test
    void serviceNetworksAreUnited() {
        NodeSettings settings = settings(Optional.empty(), new DetectLocal.NodeCidr(), NodePortAddresses.ALL);
        List<IpPrefix> given = List.of(
                IpPrefix.parse("10.97.0.0/16"),
                IpPrefix.parse("fd00:10:96::/108"),
                IpPrefix.parse("10.96.0.0/16"),
                IpPrefix.parse("10.96.8.0/24"),
                IpPrefix.parse("10.97.0.0/16"));
        assertThat(NodeViews.of(settings, Optional.empty(), OwnAddresses.NONE, given, IpFamily.IPV4)
                        .serviceCidrs())
                .containsExactly(IpPrefix.parse("10.96.0.0/16"), IpPrefix.parse("10.97.0.0/16"));
        assertThat(NodeViews.of(settings, Optional.empty(), OwnAddresses.NONE, given, IpFamily.IPV6)
                        .serviceCidrs())
                .containsExactly(IpPrefix.parse("fd00:10:96::/108"));
    }
}
