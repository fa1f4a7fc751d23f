package io.dualstackd.dataplane.rules.nftables;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import org.junit.jupiter.api.Test;

/** For each policy and each lack of endpoints, the elements a Service wants. */
class ElementCompilerTest {
    private static final String BOTH = "10.0.0.2 l, 10.0.1.2";
    private static final String AWAY = "10.0.1.2";

    private static List<String> wanted(ServiceViewBuilder given) {
        return new ElementText(IpFamily.IPV4).lines(compile(given));
    }

    private static ServiceElements compile(ServiceViewBuilder given) {
        NodeViewBuilder node = NodeViewBuilder.node(IpFamily.IPV4).addresses("192.168.0.2");
        ServicePlan plan = new ServicePlanner(node.view()).plan(given.view());
        return ElementCompiler.compile(plan);
    }

    @Test
    void aClusterIpLeadsToAllEndpoints() {
        assertThat(wanted(service("a", "172.30.0.1").endpoints(BOTH, 8080)))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 80",
                        "hairpins 10.0.0.2 . 10.0.0.2 . tcp . 8080",
                        "endpoints 172.30.0.1 . tcp . 80 → 10.0.0.2:8080, 10.0.1.2:8080");
    }

    @Test
    void underTheInternalLocalPolicyItLeadsToThoseOfTheNode() {
        assertThat(wanted(service("a", "172.30.0.1").internalLocal().endpoints(BOTH, 8080)))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 80",
                        "hairpins 10.0.0.2 . 10.0.0.2 . tcp . 8080",
                        "endpoints 172.30.0.1 . tcp . 80 → 10.0.0.2:8080");
    }

    @Test
    void withoutAnyOnTheNodeItIsDropped() {
        assertThat(wanted(service("a", "172.30.0.1").internalLocal().endpoints(AWAY, 8080)))
                .containsExactly("cluster-ips 172.30.0.1", "drop-ips 172.30.0.1 . tcp . 80");
    }

    @Test
    void withoutEndpointsEverythingIsRefused() {
        assertThat(wanted(edge("a", "–")))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "reject-ips 172.30.0.1 . tcp . 80",
                        "reject-ips 203.0.113.1 . tcp . 80",
                        "reject-ips 198.51.100.1 . tcp . 80",
                        "reject-node-ports tcp . 30001");
    }

    @Test
    void externalDestinationsLeadToAllEndpointsAndAreMasqueraded() {
        assertThat(wanted(edge("a", AWAY)))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 80",
                        "service-ips 203.0.113.1 . tcp . 80",
                        "external-ips 203.0.113.1 . tcp . 80",
                        "service-ips 198.51.100.1 . tcp . 80",
                        "external-ips 198.51.100.1 . tcp . 80",
                        "node-ports tcp . 30001",
                        "endpoints 172.30.0.1 . tcp . 80 → 10.0.1.2:80",
                        "endpoints 203.0.113.1 . tcp . 80 → 10.0.1.2:80",
                        "endpoints 198.51.100.1 . tcp . 80 → 10.0.1.2:80",
                        "node-port-endpoints tcp . 30001 → 10.0.1.2:80");
    }

    @Test
    void underTheExternalLocalPolicyTheyHaveTwoLists() {
        assertThat(wanted(edge("a", BOTH).externalLocal()))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 80",
                        "service-ips 203.0.113.1 . tcp . 80",
                        "local-external-ips 203.0.113.1 . tcp . 80",
                        "service-ips 198.51.100.1 . tcp . 80",
                        "local-external-ips 198.51.100.1 . tcp . 80",
                        "node-ports tcp . 30001",
                        "local-node-ports tcp . 30001",
                        "hairpins 10.0.0.2 . 10.0.0.2 . tcp . 80",
                        "endpoints 172.30.0.1 . tcp . 80 → 10.0.0.2:80, 10.0.1.2:80",
                        "endpoints 203.0.113.1 . tcp . 80 → 10.0.0.2:80, 10.0.1.2:80",
                        "local-endpoints 203.0.113.1 . tcp . 80 → 10.0.0.2:80",
                        "endpoints 198.51.100.1 . tcp . 80 → 10.0.0.2:80, 10.0.1.2:80",
                        "local-endpoints 198.51.100.1 . tcp . 80 → 10.0.0.2:80",
                        "node-port-endpoints tcp . 30001 → 10.0.0.2:80, 10.0.1.2:80",
                        "local-node-port-endpoints tcp . 30001 → 10.0.0.2:80");
    }

    /** Pods and the node itself are still served, by the list of all endpoints; all other clients are dropped. */
    @Test
    void withoutAnyOnTheNodeTheRestIsDropped() {
        assertThat(wanted(service("a", "172.30.0.1")
                        .nodePort(30001)
                        .loadBalancerIps("203.0.113.1")
                        .externalLocal()
                        .endpoints(AWAY, 80)))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 80",
                        "service-ips 203.0.113.1 . tcp . 80",
                        "local-external-ips 203.0.113.1 . tcp . 80",
                        "drop-ips 203.0.113.1 . tcp . 80",
                        "node-ports tcp . 30001",
                        "local-node-ports tcp . 30001",
                        "drop-node-ports tcp . 30001",
                        "endpoints 172.30.0.1 . tcp . 80 → 10.0.1.2:80",
                        "endpoints 203.0.113.1 . tcp . 80 → 10.0.1.2:80",
                        "node-port-endpoints tcp . 30001 → 10.0.1.2:80");
    }

    @Test
    void sourceRangesHoldForLoadBalancerIpsWithEndpointsAndWithout() {
        for (String endpoints : List.of(AWAY, "–")) {
            assertThat(wanted(edge("a", endpoints).sourceRanges("203.0.113.0/25", "203.0.113.64/26", "10.0.0.0/8")))
                    .filteredOn(line -> line.startsWith("restricted") || line.startsWith("allowed"))
                    .containsExactly(
                            "restricted-ips 203.0.113.1 . tcp . 80",
                            "allowed-sources 203.0.113.1 . tcp . 80 . 203.0.113.0 - 203.0.113.1 . tcp . 80 . 203.0.113.127",
                            "allowed-sources 203.0.113.1 . tcp . 80 . 10.0.0.0 - 203.0.113.1 . tcp . 80 . 10.255.255.255");
        }
    }

    @Test
    void withAffinityEachListHasAChain() {
        assertThat(wanted(service("a", "172.30.0.1")
                        .nodePort(30001)
                        .externalLocal()
                        .affinity(60)
                        .endpoints(BOTH, 80)))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 80",
                        "node-ports tcp . 30001",
                        "local-node-ports tcp . 30001",
                        "hairpins 10.0.0.2 . 10.0.0.2 . tcp . 80",
                        "sticky-service-ips 172.30.0.1 . tcp . 80 → service-R5ZPL7J4-ns/a/tcp/p",
                        "sticky-node-ports tcp . 30001 → service-R5ZPL7J4-ns/a/tcp/p",
                        "service-R5ZPL7J4-ns/a/tcp/p tcp 60 s → 10.0.0.2:80, 10.0.1.2:80",
                        "sticky-local-node-ports tcp . 30001 → local-R5ZPL7J4-ns/a/tcp/p",
                        "local-R5ZPL7J4-ns/a/tcp/p tcp 60 s → 10.0.0.2:80");
    }

    @Test
    void portsOfOneServiceShareItsClusterIpAndDifferInTheRest() {
        assertThat(wanted(service("a", "172.30.0.1")
                        .protocols(Proto.TCP, Proto.UDP)
                        .port(53)
                        .endpoints(AWAY, 53)))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 53",
                        "service-ips 172.30.0.1 . udp . 53",
                        "endpoints 172.30.0.1 . tcp . 53 → 10.0.1.2:53",
                        "endpoints 172.30.0.1 . udp . 53 → 10.0.1.2:53");
    }

    /** The kernel refuses a second value for a key; the first kind of address to claim it has it. */
    @Test
    void anAddressNamedTwiceIsWantedOnce() {
        assertThat(wanted(service("a", "172.30.0.1")
                        .loadBalancerIps("203.0.113.1")
                        .externalIps("203.0.113.1", "172.30.0.1")
                        .endpoints(AWAY, 80)))
                .containsExactly(
                        "cluster-ips 172.30.0.1",
                        "service-ips 172.30.0.1 . tcp . 80",
                        "service-ips 203.0.113.1 . tcp . 80",
                        "external-ips 203.0.113.1 . tcp . 80",
                        "endpoints 172.30.0.1 . tcp . 80 → 10.0.1.2:80",
                        "endpoints 203.0.113.1 . tcp . 80 → 10.0.1.2:80");
    }

    @Test
    void elementsNameTheirService() {
        assertThat(compile(edge("a", BOTH)).members())
                .filteredOn(member -> !member.set().shared())
                .allSatisfy(member -> assertThat(member.comment()).startsWith("ns/a:p "));
    }

    private static ServiceViewBuilder edge(String name, String endpoints) {
        return service(name, "172.30.0.1")
                .nodePort(30001)
                .loadBalancerIps("203.0.113.1")
                .externalIps("198.51.100.1")
                .endpoints(endpoints, 80);
    }
}
