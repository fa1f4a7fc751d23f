package io.dualstackd.dataplane.rules.iptables;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a Service costs in rules and chains, and what a change touches. A growing number here is a slower node. */
class RuleBudgetTest {
    private static final NodeView NODE = NodeViewBuilder.node(IpFamily.IPV4)
            .addresses("192.168.0.2")
            .podsIn("10.0.0.0/8")
            .view();

    @ParameterizedTest(name = "{0} with {1} endpoints")
    @CsvSource({
        // shape, endpoints, rules in chains of its own, rules in shared chains, chains
        "clusterip,      0,    0,  1,    0",
        "clusterip,      1,    4,  1,    2",
        "clusterip,     10,   31,  1,   11",
        "clusterip,   1000, 3001,  1, 1001",
        "affinity,      10,   41,  1,   11",
        "nodeport,       0,    0,  2,    0",
        "nodeport,      10,   33,  2,   12",
        "nodeport-local,10,   40,  2,   13",
        "loadbalancer,  10,   33,  3,   12",
        "ranges,        10,   35,  4,   13",
        "externalip,    10,   33,  2,   12",
    })
    void rulesOfAService(String shape, int endpoints, int own, int dispatch, int chains) {
        Fragment fragment = compile(shape(shape, endpoints));
        assertThat(count(fragment.chains())).as("rules of its own").isEqualTo(own);
        assertThat(count(fragment.dispatch())).as("rules in shared chains").isEqualTo(dispatch);
        assertThat(fragment.chains()).as("chains").hasSize(chains);
    }

    @Test
    void theFrameDoesNotGrow() {
        Frame frame = FrameCompiler.compile(NodePlanner.plan(NODE));
        assertThat(count(frame.chains()) + count(frame.shared()) + count(frame.jumps()))
                .isEqualTo(20);
        assertThat(frame.chains().size() + frame.shared().size()).isEqualTo(12);
    }

    @Test
    void oneEndpointMoreTouchesItsOwnChainAndTheSpreadingChainOnly() {
        Fragment before = compile(shape("nodeport", 10));
        Fragment after = compile(shape("nodeport", 11));

        assertThat(after.dispatch()).isEqualTo(before.dispatch());
        Set<ChainId> touched = after.chains().entrySet().stream()
                .filter(chain -> !chain.getValue().equals(before.chains().get(chain.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        assertThat(touched).hasSize(2).allMatch(chain -> chain.name().matches("KUBE-(SVC|SEP)-.*"));
    }

    private static ServiceViewBuilder shape(String shape, int endpoints) {
        ServiceViewBuilder given = service("svc", "172.30.0.41")
                .endpoints(
                        IntStream.range(0, endpoints)
                                .mapToObj(i -> "10.0.%d.%d%s".formatted(i / 250, i % 250 + 1, i % 2 == 0 ? " l" : ""))
                                .collect(Collectors.joining(",")),
                        8080);
        return switch (shape) {
            case "clusterip" -> given;
            case "affinity" -> given.affinity(60);
            case "nodeport" -> given.nodePort(30080);
            case "nodeport-local" -> given.nodePort(30080).externalLocal();
            case "loadbalancer" -> given.nodePort(30080).loadBalancerIps("1.2.3.4");
            case "ranges" -> given.nodePort(30080).loadBalancerIps("1.2.3.4").sourceRanges("203.0.113.0/25");
            case "externalip" -> given.externalIps("198.51.100.1");
            default -> throw new IllegalArgumentException(shape);
        };
    }

    private static Fragment compile(ServiceViewBuilder given) {
        return ServiceCompiler.compile(new ServicePlanner(NODE).plan(given.view()), NodePlanner.plan(NODE));
    }

    private static int count(SortedMap<ChainId, List<Rule>> chains) {
        return chains.values().stream().mapToInt(Collection::size).sum();
    }
}
