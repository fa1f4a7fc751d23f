package io.dualstackd.dataplane.rules.nftables;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.rules.iptables.RuleWalk;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftElement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which endpoints clients of Services with session affinity are sent to, and how evenly. */
class TableWalkTest {
    private static final NodeView NODE = NodeViewBuilder.node(IpFamily.IPV4)
            .addresses("192.168.0.2")
            .podsIn("10.0.0.0/8")
            .serviceCidrs("172.30.0.0/16")
            .view();
    private static final ServiceViewBuilder STICKY =
            service("a", "172.30.0.1").nodePort(30001).externalLocal().affinity(60);
    private static final String THREE = "10.0.0.2 l, 10.0.0.3 l, 10.0.1.2";

    private static List<End> walk(TableContent table, String destination, int port) {
        Packet packet = new Packet(
                Ip.parse("203.0.113.2"), new Packet.Origin.Interface("eth0"), Ip.parse(destination), Proto.TCP, port);
        return new TableWalk(table, new HashSet<>(NODE.addresses()), (chain, set, element) -> Optional.empty())
                .walk(packet);
    }

    private static TableContent table(ServiceViewBuilder given) {
        return TableContent.of(WholeTable.of(NODE, List.of(given.view())));
    }

    private static String clientsOf(TableContent table, String endpoint) {
        return table.sets().keySet().stream()
                .filter(name -> name.startsWith("affinity-") && name.endsWith("__" + endpoint))
                .findFirst()
                .orElseThrow();
    }

    private static TableContent knownTo(TableContent table, String endpoint) {
        return table.with(clientsOf(table, endpoint), NftElement.of(Keys.address(Ip.parse("203.0.113.2"))));
    }

    private static Map<String, Double> shares(List<End> ends) {
        return ends.stream()
                .collect(Collectors.toMap(end -> end.translated().orElseThrow().toString(), End::probability));
    }

    @Test
    void aNewClientDrawsAndIsRemembered() {
        TableContent table = table(STICKY.endpoints(THREE, 80));
        List<End> ends = walk(table, "172.30.0.1", 80);
        assertThat(shares(ends)).containsOnlyKeys("10.0.0.2:80", "10.0.0.3:80", "10.0.1.2:80");
        assertThat(ends).allSatisfy(end -> {
            assertThat(end.probability()).isCloseTo(1.0 / 3, within(1e-9));
            IpPort to = end.translated().orElseThrow();
            assertThat(end.remembered()).containsExactly(clientsOf(table, to.ip() + "/80"));
        });
    }

    @Test
    void knownClientKeepsItsEndpointAndIsRefreshed() {
        TableContent table = knownTo(table(STICKY.endpoints(THREE, 80)), "10.0.1.2/80");
        assertThat(walk(table, "172.30.0.1", 80)).singleElement().satisfies(end -> {
            assertThat(end.translated()).contains(new IpPort(Ip.parse("10.0.1.2"), 80));
            assertThat(end.remembered()).hasSize(1);
        });
    }

    @Test
    void aClientKnownToTwoGoesToTheFirst() {
        TableContent table = knownTo(knownTo(table(STICKY.endpoints(THREE, 80)), "10.0.1.2/80"), "10.0.0.3/80");
        assertThat(shares(walk(table, "172.30.0.1", 80))).containsExactly(entry("10.0.0.3:80", 1.0));
    }

    @Test
    void theLocalPathAsksLocalEndpointsOnly() {
        TableContent table = table(STICKY.endpoints(THREE, 80));
        assertThat(shares(walk(knownTo(table, "10.0.1.2/80"), "192.168.0.2", 30001)))
                .containsOnly(entry("10.0.0.2:80", 0.5), entry("10.0.0.3:80", 0.5));
        assertThat(shares(walk(knownTo(table, "10.0.0.3/80"), "192.168.0.2", 30001)))
                .containsExactly(entry("10.0.0.3:80", 1.0));
    }

    /** Traffic to cluster IPs is masqueraded for such a client; as an external address under the Local policy it keeps the source. */
    @Test
    void anExternalAddressThatIsAnotherServicesClusterIpKeepsClients() {
        TableContent table = TableContent.of(WholeTable.of(
                NODE,
                List.of(
                        service("a", "172.30.0.1").endpoints("10.0.0.2", 80).view(),
                        service("b", "172.30.0.2")
                                .port(81)
                                .externalIps("172.30.0.1")
                                .externalLocal()
                                .endpoints("10.0.0.3 l", 81)
                                .view())));
        assertThat(walk(table, "172.30.0.1", 80))
                .singleElement()
                .satisfies(end -> assertThat(end.masqueraded()).isTrue());
        assertThat(walk(table, "172.30.0.1", 81)).singleElement().satisfies(end -> {
            assertThat(end.translated()).contains(new IpPort(Ip.parse("10.0.0.3"), 81));
            assertThat(end.masqueraded()).isFalse();
        });
    }

    @Test
    void aDropWithoutASetIsInTheTrail() {
        TableContent table = table(service("a", "172.30.0.1").endpoints("10.0.0.2", 80));
        assertThat(walk(table, "172.30.0.99", 80)).singleElement().satisfies(end -> {
            assertThat(end.verdict()).isEqualTo(RuleWalk.Verdict.DROPPED);
            assertThat(end.trail().steps()).containsExactly(new Trail.Step("chain cluster-ips-check", "drop"));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10, 100})
    void theSpreadIsUniformWithAffinityAndWithout(int count) {
        String endpoints =
                IntStream.rangeClosed(1, count).mapToObj(i -> "10.0.0." + i).collect(Collectors.joining(", "));
        for (ServiceViewBuilder given : List.of(
                service("a", "172.30.0.1").endpoints(endpoints, 80),
                service("a", "172.30.0.1").affinity(60).endpoints(endpoints, 80))) {
            assertThat(shares(walk(table(given), "172.30.0.1", 80)))
                    .hasSize(count)
                    .allSatisfy((to, share) -> assertThat(share).isCloseTo(1.0 / count, within(1e-9)));
        }
    }
}
