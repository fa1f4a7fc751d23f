package io.dualstackd.dataplane.plan;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the modes differ for addresses with two uses; walks through random rules compare the same with the rules. */
final class PacketOracleTest {
    private static final Packet.Origin NODE_ITSELF = new Packet.Origin.ThisNode();
    private static final Packet.Origin POD = new Packet.Origin.Interface("cali12");

    /** A DNS cache of the node has the ClusterIP of the DNS Service on a link of its own. */
    private static final NodeView CACHING = NodeViewBuilder.node(IpFamily.IPV4)
            .addresses("192.168.0.2", "172.30.0.10")
            .podsIn("10.0.0.0/8")
            .serviceCidrs("172.30.0.0/16")
            .view();

    private static PacketFate fate(
            ProxyMode mode,
            NodeView node,
            ServiceView service,
            String from,
            Packet.Origin origin,
            String to,
            int port) {
        Planner planner = Planner.of(node);
        return new PacketOracle(mode, planner, List.of(planner.plan(service)))
                .fate(new Packet(Ip.parse(from), origin, Ip.parse(to), Proto.TCP, port));
    }

    /** As in kube-proxy, nftables mode closes a ClusterIP to the node's own packets even when the node has the address. */
    @Test
    void otherPortsOfALocalClusterIpAreClosedToTheNodeOnly() {
        ServiceView dns =
                service("dns", "172.30.0.10").port(53).endpoints("10.0.0.2", 53).view();
        assertThat(fate(ProxyMode.NFTABLES, CACHING, dns, "172.30.0.10", NODE_ITSELF, "172.30.0.10", 8080))
                .isInstanceOf(PacketFate.Rejected.class);
        assertThat(fate(ProxyMode.NFTABLES, CACHING, dns, "10.0.0.3", POD, "172.30.0.10", 8080))
                .isEqualTo(PacketFate.NOT_OURS);
        assertThat(fate(ProxyMode.IPTABLES, CACHING, dns, "172.30.0.10", NODE_ITSELF, "172.30.0.10", 8080))
                .isEqualTo(PacketFate.NOT_OURS);
    }

    /** In iptables mode, packets of pods pass the input rules, which do not name ClusterIPs. */
    @Test
    void aLocalClusterIpWithoutEndpointReachesTheNode() {
        ServiceView dns = service("dns", "172.30.0.10").port(53).view();
        assertThat(fate(ProxyMode.IPTABLES, CACHING, dns, "10.0.0.3", POD, "172.30.0.10", 53))
                .isEqualTo(PacketFate.NOT_OURS);
        assertThat(fate(ProxyMode.IPTABLES, CACHING, dns, "172.30.0.10", NODE_ITSELF, "172.30.0.10", 53))
                .isInstanceOf(PacketFate.Rejected.class);
        assertThat(fate(ProxyMode.NFTABLES, CACHING, dns, "10.0.0.3", POD, "172.30.0.10", 53))
                .isInstanceOf(PacketFate.Rejected.class);
    }

    @ParameterizedTest
    @EnumSource
    void sourceRangesOfAnAddressThatIsAnExternalIpToo(ProxyMode mode) {
        ServiceView both = service("both", "172.30.0.1")
                .externalIps("203.0.113.9")
                .loadBalancerIps("203.0.113.9")
                .sourceRanges("198.51.100.0/24")
                .endpoints("10.0.0.2", 80)
                .view();
        PacketFate denied =
                fate(mode, CACHING, both, "192.0.2.1", new Packet.Origin.Interface("eth0"), "203.0.113.9", 80);
        assertThat(denied)
                .isInstanceOf(
                        switch (mode) {
                            case IPTABLES -> PacketFate.Forwarded.class;
                            case NFTABLES, IPVS -> PacketFate.Dropped.class;
                        });
    }

    /** The rules that refuse at node ports come first, and a chain of external traffic does not return to the node ports that serve. */
    @ParameterizedTest(name = "endpoints of the node port: {0}")
    @ValueSource(booleans = {false, true})
    void aNodePortBesideAnAddressOfTheNodeWithoutLocalEndpoint(boolean served) {
        ServiceViewBuilder behindNodePort = service("ported", "172.30.0.2").nodePort(30080);
        ServiceView ported = (served ? behindNodePort.endpoints("10.0.0.2", 80) : behindNodePort).view();
        ServiceView addressed = service("addressed", "172.30.0.1")
                .port(30080)
                .externalIps("192.168.0.2")
                .externalLocal()
                .endpoints("10.0.1.2", 80)
                .view();
        Planner planner = Planner.of(CACHING);
        PacketFate fate = new PacketOracle(
                        ProxyMode.NFTABLES, planner, List.of(planner.plan(addressed), planner.plan(ported)))
                .fate(new Packet(
                        Ip.parse("203.0.113.9"),
                        new Packet.Origin.Interface("eth0"),
                        Ip.parse("192.168.0.2"),
                        Proto.TCP,
                        30080));
        assertThat(fate).isInstanceOf(served ? PacketFate.Dropped.class : PacketFate.Rejected.class);
    }
}
