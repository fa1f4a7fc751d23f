package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.supervision.io.Supervisor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which networks of a host with an interface and routes overlap those of Services. */
@Tag("kernel")
final class NetworkNotesTest {
    private final List<ServiceCidr> serviceCidrs = new ArrayList<>();
    private PodCidrs podCidrs = PodCidrs.NONE;
    private Optional<Node> node = Optional.empty();
    private NodeSettings settings = NodeSettingsBuilder.node("n").settings();
    private NetNs ns;

    @BeforeEach
    void host() throws Exception {
        ns = FreshNetNs.create();
        try (RouteClient kernel = RouteClient.open(ns)) {
            kernel.addBridge("eth0");
            int eth0 = kernel.indexOf("eth0");
            kernel.change(eth0, new LinkChange.Up());
            kernel.add(Address.of(eth0, Ip.parse("192.168.7.9"), 24));
            kernel.add(Address.of(eth0, Ip.parse("fd00:7::9"), 64));
            kernel.add(Route.via(IpPrefix.parse("172.16.0.0/12"), Ip.parse("192.168.7.1")));
            kernel.add(Route.via(IpPrefix.parse("10.96.0.0/16"), Ip.parse("192.168.7.1")));
        }
    }

    @AfterEach
    void close() {
        ns.close();
    }

    private void services(String... cidrs) {
        serviceCidrs.clear();
        serviceCidrs.add(new ServiceCidr(
                "kubernetes", Stream.of(cidrs).map(IpPrefix::parse).toList()));
    }

    private NetworkNotes notes() {
        return new NetworkNotes(
                new NetworkNotes.Sources(
                        () -> List.copyOf(serviceCidrs), podCidrs, () -> node, () -> settings, Optional::empty),
                NetlinkSockets.of(ns),
                Supervisor.none().platform());
    }

    @Test
    void disjointNetworksAreNotReported() {
        services("10.97.0.0/16", "fd00:96::/112");
        podCidrs = PodCidrs.parse("10.244.1.0/24,fd00:244::/64");
        assertThat(notes().now()).isEmpty();
    }

    /** Some CNI plug-ins make such a route so that packets to Services find a source address. */
    @Test
    void routeToExactlyTheServiceNetworkIsNoOverlap() {
        services("10.96.0.0/16");
        assertThat(notes().now()).isEmpty();
    }

    @Test
    void reportsInterfaceInServiceNetwork() {
        services("192.168.0.0/16", "fd00:7::/112");
        assertThat(notes().now())
                .containsExactly(
                        "network 192.168.0.0/16 of Services (ServiceCIDR kubernetes) overlaps 192.168.7.0/24 (interface"
                                + " eth0): packets to addresses that are in both may reach Services instead; use another"
                                + " network for one of them",
                        "network fd00:7::/112 of Services (ServiceCIDR kubernetes) overlaps fd00:7::/64 (interface"
                                + " eth0): packets to addresses that are in both may reach Services instead; use another"
                                + " network for one of them");
    }

    @Test
    void reportsRouteThatContainsServiceNetwork() {
        services("172.20.0.0/16");
        assertThat(notes().now())
                .singleElement()
                .asString()
                .contains("172.20.0.0/16", "172.16.0.0/12 (a route through eth0)");
    }

    @Test
    void podsNodesAndTheClusterAreCompared() {
        services("10.244.0.0/16", "fd00:244::/112");
        podCidrs = PodCidrs.parse("10.244.1.0/24");
        node = Optional.of(new Node("n", "", List.of(IpPrefix.parse("fd00:244::/64")), List.of(), List.of(), false));
        settings = NodeSettingsBuilder.node("n")
                .detectLocal(new DetectLocal.ClusterCidr(List.of(IpPrefix.parse("10.0.0.0/8"))))
                .settings();
        assertThat(notes().now())
                .hasSize(3)
                .anyMatch(note -> note.contains("10.244.1.0/24 (--pod-cidr)"))
                .anyMatch(note -> note.contains("fd00:244::/64 (spec.podCIDRs of Node n)"))
                .anyMatch(note -> note.contains("10.0.0.0/8 (--cluster-cidr)"));
    }

    @Test
    void aServiceCidrThatComesLaterIsCompared() {
        services("10.97.0.0/16");
        NetworkNotes notes = notes();
        assertThat(notes.now()).isEmpty();
        services("172.20.0.0/16");
        assertThat(notes.now()).hasSize(1);
        services("10.97.0.0/16");
        assertThat(notes.now()).isEmpty();
    }
}
