package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What must never go wrong; what packets meet is tried with packets. */
final class IpvsServiceCompilerTest {
    private static final ChainId CLOSED = new ChainId(Table.FILTER, ChainNames.IPVS_IPS);
    private static final ChainId ACCEPTED = new ChainId(Table.NAT, ChainNames.IPVS_SERVICES);
    private static final ChainId OPEN = new ChainId(Table.FILTER, ChainNames.IPVS_FILTER);

    private static Fragment compile(NodeView node, Ip external) {
        return compile(node, external, TrafficPolicy.CLUSTER);
    }

    private static Fragment compile(NodeView node, Ip external, TrafficPolicy externalPolicy) {
        return compile(node, external, externalPolicy, List.of(), List.of());
    }

    private static Fragment compile(
            NodeView node, Ip external, TrafficPolicy externalPolicy, List<Ip> balanced, List<IpPrefix> sources) {
        ServiceKey key = new ServiceKey("ns", "svc");
        ServicePort port = new ServicePort(
                new ServicePortName(key, "", Proto.TCP),
                Samples.clusterIp(node.family(), 1),
                80,
                0,
                List.of(external),
                balanced,
                sources,
                Affinity.NONE,
                TrafficPolicy.CLUSTER,
                externalPolicy,
                0);
        ServiceView service = new ServiceView(
                key,
                node.family(),
                List.of(new PortView(port, List.of(Samples.endpoint(Samples.podIp(node.family(), 1, 0), 8080)))));
        return IpvsServiceCompiler.compile(
                new ServicePlanner(node).plan(service), NodePlanner.plan(node), Set.copyOf(node.addresses()));
    }

    /** An external IP may be the node's own: closing its other ports would lock the administrator out. */
    @ParameterizedTest
    @EnumSource
    void addressesOfTheNodeAreNeverClosed(IpFamily family) {
        NodeView node = Samples.node(family);
        Ip own = node.addresses().getFirst();
        List<Rule> closed = compile(node, own).dispatch().get(CLOSED);
        assertThat(closed)
                .singleElement()
                .satisfies(rule -> assertThat(rule.matches())
                        .contains(new Match.Destination(IpPrefix.host(Samples.clusterIp(family, 1)), false)));
    }

    /** Pods would reach it from any source otherwise: their packets are translated before the sources are checked. */
    @ParameterizedTest
    @EnumSource
    void anExternalIpThatIsALoadBalancersTooIsFilteredBySource(IpFamily family) {
        NodeView node = Samples.node(family);
        Ip both = Samples.clusterIp(family, 9);
        List<IpPrefix> sources = List.of(IpPrefix.host(Samples.clusterIp(family, 8)));
        assertThat(compile(node, both, TrafficPolicy.LOCAL, List.of(both), sources)
                        .dispatch()
                        .get(new ChainId(Table.NAT, ChainNames.SERVICES)))
                .filteredOn(rule -> rule.matches().contains(new Match.Destination(IpPrefix.host(both), false)))
                .singleElement()
                .satisfies(rule -> assertThat(rule.target()).asString().contains("KUBE-FW-"));
    }

    /** A rule for a port of all local addresses, as of a pod with a {@code hostPort}, would translate packets to Services, too. */
    @ParameterizedTest
    @EnumSource
    void whatIsSentToAServiceIsAcceptedBeforeTheRulesOfOthers(IpFamily family) {
        NodeView node = Samples.node(family);
        Ip own = node.addresses().getFirst();
        for (TrafficPolicy policy : TrafficPolicy.values()) {
            assertThat(compile(node, own, policy).dispatch().get(ACCEPTED))
                    .allSatisfy(rule -> assertThat(rule.target()).isEqualTo(new Target.Accept()))
                    .extracting(rule -> rule.matches().getFirst())
                    .containsExactlyInAnyOrder(
                            new Match.Destination(IpPrefix.host(own), false),
                            new Match.Destination(IpPrefix.host(Samples.clusterIp(family, 1)), false));
        }
        assertThat(IpvsFrameCompiler.compile(NodePlanner.plan(node), List.of(own))
                        .shared()
                        .get(new ChainId(Table.NAT, ChainNames.SERVICES)))
                .last()
                .as("behind all rules that mark or translate")
                .satisfies(rule -> assertThat(rule.target()).isEqualTo(new Target.Jump(ChainNames.IPVS_SERVICES)));
    }

    /** Another node may answer in place of this one: IPVS would reject at once. */
    @ParameterizedTest
    @EnumSource
    void anAddressOfTheNodeIsDroppedWithoutLocalEndpoint(IpFamily family) {
        NodeView node = Samples.node(family);
        Ip own = node.addresses().getFirst();
        assertThat(compile(node, own, TrafficPolicy.LOCAL).dispatch().get(OPEN))
                .filteredOn(rule -> rule.matches().contains(new Match.Destination(IpPrefix.host(own), false)))
                .singleElement()
                .satisfies(rule -> assertThat(rule.target()).isEqualTo(new Target.Drop()));
        assertThat(compile(node, own).dispatch().get(OPEN))
                .noneMatch(rule -> rule.matches().contains(new Match.Destination(IpPrefix.host(own), false)));
    }

    /** A program of the host may listen on the port at 127.0.0.1, or at an address that {@code nodePortAddresses} leaves out. */
    @ParameterizedTest
    @EnumSource
    void nodePortsAreOnlyDroppedWhereTheyAnswer(IpFamily family) {
        NodeView node = Samples.node(family);
        Ip own = node.addresses().getFirst();
        assertThat(IpvsFrameCompiler.compile(NodePlanner.plan(node), List.of(own))
                        .shared()
                        .get(OPEN))
                .filteredOn(rule -> rule.target().equals(new Target.Jump(ChainNames.IPVS_NODE_PORTS)))
                .singleElement()
                .satisfies(
                        rule -> assertThat(rule.matches()).contains(new Match.Destination(IpPrefix.host(own), false)));
    }

    @ParameterizedTest
    @EnumSource
    void allOtherAddressesOfTheServiceAre(IpFamily family) {
        assertThat(compile(Samples.node(family), Samples.clusterIp(family, 9))
                        .dispatch()
                        .get(CLOSED))
                .hasSize(2)
                .allSatisfy(rule -> assertThat(rule.target()).isEqualTo(new Target.Reject()));
    }
}
