package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In IPVS mode the addresses of Services are the node's own; node ports are not on them. */
final class IpvsNodePortsTest {
    private static final int NUMBER = 30080;

    /** A Service whose port has the number of the other one's node port, and that one, with the policy Local and no endpoint here. */
    private static List<ServiceView> services(IpFamily family, boolean elsewhere) {
        return List.of(
                service(family, 1, NUMBER, 0, List.of(endpoint(family, 1))),
                service(family, 2, 80, NUMBER, elsewhere ? List.of(endpoint(family, 2)) : List.of()));
    }

    private static Endpoint endpoint(IpFamily family, int n) {
        return Samples.endpoint(Samples.podIp(family, n, 0), 8080);
    }

    private static ServiceView service(IpFamily family, int n, int port, int nodePort, List<Endpoint> endpoints) {
        ServiceKey key = new ServiceKey("ns", "svc-" + n);
        ServicePort of = new ServicePort(
                new ServicePortName(key, "", Proto.TCP),
                Samples.clusterIp(family, n),
                port,
                nodePort,
                List.of(),
                List.of(),
                List.of(),
                Affinity.NONE,
                TrafficPolicy.CLUSTER,
                nodePort == 0 ? TrafficPolicy.CLUSTER : TrafficPolicy.LOCAL,
                0);
        return new ServiceView(key, family, List.of(new PortView(of, endpoints)));
    }

    private static Ip pod(IpFamily family) {
        return Ip.parse(family == IpFamily.IPV4 ? "10.244.1.1" : "fd00:10:244::1:1");
    }

    private static Ip outside(IpFamily family) {
        return Ip.parse(family == IpFamily.IPV4 ? "203.0.113.9" : "2001:db8:9::9");
    }

    /** What a packet to port {@link #NUMBER} meets. */
    private record Way(End end, List<ChainId> chains) {
        private static final ChainId NAT = new ChainId(Table.NAT, ChainNames.NODE_PORT);
        private static final ChainId FILTER = new ChainId(Table.FILTER, ChainNames.IPVS_NODE_PORTS);

        boolean isOfNodePort() {
            return chains.contains(NAT) || chains.contains(FILTER);
        }
    }

    /** The way of a packet in each order of the Services. */
    private static List<Way> ways(IpFamily family, List<ServiceView> services, Ip from, Ip to) {
        NodeView node = Samples.node(family);
        NodePlan plan = NodePlanner.plan(node);
        ServicePlanner planner = new ServicePlanner(node);
        Set<Ip> own = Set.copyOf(node.stableAddresses());
        List<Ip> local = new ArrayList<>(own);
        services.forEach(
                service -> service.ports().forEach(each -> local.add(each.port().clusterIp())));
        Frame frame = IpvsFrameCompiler.compile(plan, plan.nodePorts().withServers(node.stableAddresses()));
        List<Way> ways = new ArrayList<>();
        for (List<ServiceView> order : List.of(services, services.reversed())) {
            List<Fragment> fragments = order.stream()
                    .map(service -> IpvsServiceCompiler.compile(planner.plan(service), plan, own))
                    .toList();
            List<ChainId> chains = new ArrayList<>();
            RuleWalk walk = new RuleWalk(Ruleset.of(family, frame, fragments), Set.copyOf(local), (chain, rule) -> {
                chains.add(chain);
                return Optional.empty();
            });
            Packet packet = new Packet(from, new Packet.Origin.Interface("eth0"), to, Proto.TCP, NUMBER);
            walk.walk(packet, Set.of()).forEach(end -> ways.add(new Way(end, chains)));
        }
        return ways;
    }

    @ParameterizedTest
    @EnumSource
    void aPortOfAServiceIsNotANodePortOfAnotherOne(IpFamily family) {
        for (boolean elsewhere : List.of(true, false)) {
            for (Ip from : List.of(pod(family), outside(family))) {
                assertThat(ways(family, services(family, elsewhere), from, Samples.clusterIp(family, 1)))
                        .hasSize(2)
                        .noneMatch(Way::isOfNodePort)
                        .allSatisfy(way -> {
                            assertThat(way.end().verdict()).isEqualTo(Verdict.ACCEPTED);
                            assertThat(way.end().translated()).isEmpty();
                        });
            }
        }
    }

    /** What a Service has no port for is refused at once, also where the number is that of a node port that drops. */
    @ParameterizedTest
    @EnumSource
    void aClosedPortIsNotANodePort(IpFamily family) {
        for (Ip from : List.of(pod(family), outside(family))) {
            assertThat(ways(family, services(family, true), from, Samples.clusterIp(family, 2)))
                    .hasSize(2)
                    .noneMatch(Way::isOfNodePort)
                    .allSatisfy(way -> assertThat(way.end().verdict()).isEqualTo(Verdict.REJECTED));
        }
    }

    @ParameterizedTest
    @EnumSource
    void nodePortsAreOnTheAddressesOfTheNode(IpFamily family) {
        Ip to = Samples.node(family).addresses().getFirst();
        assertThat(ways(family, services(family, true), pod(family), to))
                .hasSize(2)
                .allSatisfy(way ->
                        assertThat(way.end().translated()).contains(new IpPort(Samples.clusterIp(family, 2), 80)));
        assertThat(ways(family, services(family, true), outside(family), to))
                .hasSize(2)
                .allSatisfy(way -> assertThat(way.end().verdict()).isEqualTo(Verdict.DROPPED));
        assertThat(ways(family, services(family, false), outside(family), to))
                .hasSize(2)
                .allMatch(Way::isOfNodePort)
                .allSatisfy(way -> assertThat(way.end().verdict()).isEqualTo(Verdict.ACCEPTED));
    }
}
