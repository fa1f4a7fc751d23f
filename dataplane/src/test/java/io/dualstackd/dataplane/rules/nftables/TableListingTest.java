package io.dualstackd.dataplane.rules.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table as {@code nft} lists it: readable, loadable, and to the kernel the very rules we made. */
@Tag("kernel")
class TableListingTest {
    private static final Path GOLDEN = Path.of("src/test/cases");
    private static final boolean UPDATE = Boolean.getBoolean("golden.update");

    /** Everything a table can hold, in one node and a handful of Services. */
    private static WholeTable rich(IpFamily family) {
        boolean four = family == IpFamily.IPV4;
        String p = four ? "" : "fd00::";
        NodeView node = NodeViewBuilder.node(family)
                .addresses(p + "192.168.0.2", p + "192.168.1.2")
                .nodePortsIn(four ? "192.168.0.0/24" : "fd00::192.168.0.0/120")
                .podsIn(four ? "10.0.0.0/8" : "fd00::10.0.0.0/104")
                .serviceCidrs(four ? "172.30.0.0/16" : "fd00::172.30.0.0/112")
                .view();
        List<ServiceView> services = List.of(
                ServiceViewBuilder.service("plain", p + "172.30.0.1")
                        .protocols(Proto.TCP, Proto.UDP, Proto.SCTP)
                        .endpoints(p + "10.0.0.2 l, " + p + "10.0.0.3 l, " + p + "10.0.1.2", 8080)
                        .view(),
                ServiceViewBuilder.service("edge", p + "172.30.0.2")
                        .nodePort(30002)
                        .externalIps(p + "198.51.100.2")
                        .loadBalancerIps(p + "203.0.113.2")
                        .sourceRanges(four ? "203.0.113.0/25" : "fd00::203.0.113.0/121")
                        .endpoints(p + "10.0.0.2 l, " + p + "10.0.1.2", 80)
                        .view(),
                ServiceViewBuilder.service("local", p + "172.30.0.3")
                        .nodePort(30003)
                        .loadBalancerIps(p + "203.0.113.3")
                        .externalLocal()
                        .endpoints(p + "10.0.0.2 l, " + p + "10.0.1.2", 80)
                        .view(),
                ServiceViewBuilder.service("away", p + "172.30.0.4")
                        .nodePort(30004)
                        .loadBalancerIps(p + "203.0.113.4")
                        .internalLocal()
                        .externalLocal()
                        .endpoints(p + "10.0.1.2", 80)
                        .view(),
                ServiceViewBuilder.service("empty", p + "172.30.0.5")
                        .nodePort(30005)
                        .externalIps(p + "198.51.100.5")
                        .view(),
                ServiceViewBuilder.service("sticky", p + "172.30.0.6")
                        .nodePort(30006)
                        .externalLocal()
                        .affinity(10800)
                        .endpoints(p + "10.0.0.2 l, " + p + "10.0.0.3 l, " + p + "10.0.1.2", 80)
                        .view());
        return WholeTable.of(node, services);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void listedAsPeopleWouldWriteIt(IpFamily family) throws Exception {
        Path golden = GOLDEN.resolve("table-" + family.name().toLowerCase(Locale.ROOT) + ".nft");
        String listed = TableListing.of(rich(family));
        if (UPDATE) {
            Files.writeString(golden, listed);
        }
        if (TableListing.isByTheUsualTool()) {
            assertThat(listed).isEqualTo(Files.readString(golden));
        }
    }

    /** Whatever the node is like. */
    @ParameterizedTest
    @MethodSource("nodes")
    void loadsAgainAsItWasListed(NodeViewBuilder node) throws Exception {
        assertThat(TableListing.of(WholeTable.of(node.view(), List.of()))).contains("nat-prerouting");
    }

    static Stream<Named<NodeViewBuilder>> nodes() {
        return Stream.of(IpFamily.values()).flatMap(family -> {
            String zeros = family == IpFamily.IPV4 ? "0.0.0.0/" : "::/";
            int longer = family.bits() - 32;
            return Stream.of(
                    named(family, "knows nothing", node -> node),
                    named(family, "pods in a network", node -> node.podsIn(zeros + (17 + longer))),
                    named(family, "pods everywhere", node -> node.podsIn(zeros + 0)),
                    named(family, "bridge", node -> node.detector(new LocalDetector.FromBridge("cni0"))),
                    named(family, "prefix", node -> node.detector(new LocalDetector.FromInterfacePrefix("cali"))),
                    named(family, "masquerades all", node -> node.masqueradeAll(true)),
                    named(family, "node ports on localhost", node -> node.localhostNodePorts(true)),
                    named(
                            family,
                            "networks of ClusterIPs",
                            node -> node.serviceCidrs(
                                    zeros + (12 + longer), zeros + (24 + longer), zeros + family.bits())));
        });
    }

    private static Named<NodeViewBuilder> named(IpFamily family, String name, UnaryOperator<NodeViewBuilder> like) {
        return Named.of(
                name + " " + family,
                like.apply(
                        NodeViewBuilder.node(family).addresses(family == IpFamily.IPV4 ? "192.168.0.2" : "fd00::2")));
    }
}
