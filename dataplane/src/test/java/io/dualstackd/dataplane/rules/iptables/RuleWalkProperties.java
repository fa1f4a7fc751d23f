package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.RandomCluster.Cluster;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.random.Tries;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The compiled rules behave as planned for random Services, nodes and packets: a walk through the rules agrees with the oracle. */
@Tag("slow")
class RuleWalkProperties {

    @Test
    void rulesDoWhatThePlanForetells() {
        Tries.of(2000, draw -> rulesDoWhatThePlanForetells(RandomCluster.of(draw)));
    }

    private void rulesDoWhatThePlanForetells(Cluster cluster) {
        NodeView node = cluster.node();
        List<ServicePlan> plans = plans(cluster);
        Ruleset rules = rules(node, plans);

        PacketFate predicted = new PacketOracle(ProxyMode.IPTABLES, Planner.of(node), plans).fate(cluster.packet());
        List<End> ends = new RuleWalk(rules, new HashSet<>(node.addresses()), (chain, rule) -> Optional.empty())
                .walk(cluster.packet(), Set.of());

        assertThat(ends.stream().mapToDouble(End::probability).sum()).isCloseTo(1, within(1e-9));
        switch (predicted) {
            case PacketFate.NotOurs() ->
                assertThat(ends).allSatisfy(end -> {
                    assertThat(end.verdict()).isEqualTo(Verdict.ACCEPTED);
                    assertThat(end.translated()).isEmpty();
                    assertThat(end.masqueraded()).isFalse();
                });
            case PacketFate.Dropped ignored ->
                assertThat(ends).extracting(End::verdict).containsOnly(Verdict.DROPPED);
            case PacketFate.Rejected ignored ->
                assertThat(ends).extracting(End::verdict).containsOnly(Verdict.REJECTED);
            case PacketFate.Forwarded(var ignored, var reason, var hops) -> isSpreadOver(hops, ends);
        }
    }

    @Test
    void everyChainThatIsJumpedToExists() {
        Tries.of(1_000, draw -> everyChainThatIsJumpedToExists(RandomCluster.of(draw)));
    }

    private void everyChainThatIsJumpedToExists(Cluster cluster) {
        Ruleset rules = rules(cluster.node(), plans(cluster));
        rules.chains()
                .forEach((chain, content) -> assertThat(content)
                        .map(Rule::target)
                        .filteredOn(Target.Jump.class::isInstance)
                        .allSatisfy(target -> assertThat(rules.chains())
                                .containsKey(new ChainId(chain.table(), ((Target.Jump) target).chain()))));
    }

    @Test
    void textReadsBackAsTheSameRules() {
        Tries.of(1_000, draw -> textReadsBackAsTheSameRules(RandomCluster.of(draw)));
    }

    private void textReadsBackAsTheSameRules(Cluster cluster) {
        Ruleset rules = rules(cluster.node(), plans(cluster));
        assertThat(IptablesParser.parse(cluster.node().family(), IptablesText.print(rules)))
                .isEqualTo(rules);
    }

    @Test
    void noChainBelongsToTwoServices() {
        Tries.of(1_000, draw -> noChainBelongsToTwoServices(RandomCluster.of(draw)));
    }

    private void noChainBelongsToTwoServices(Cluster cluster) {
        NodePlan nodePlan = NodePlanner.plan(cluster.node());
        List<Fragment> together = plans(cluster).stream()
                .map(plan -> ServiceCompiler.compile(plan, nodePlan))
                .toList();
        assertThat(together.stream().flatMap(fragment -> fragment.chains().keySet().stream()))
                .doesNotHaveDuplicates();
    }

    private static void isSpreadOver(List<PacketFate.Hop> hops, List<End> ends) {
        Map<IpPort, End> byTarget =
                ends.stream().collect(Collectors.toMap(end -> end.translated().orElseThrow(), end -> end));
        assertThat(byTarget.keySet())
                .isEqualTo(hops.stream().map(hop -> hop.to().address()).collect(Collectors.toSet()));
        assertThat(hops).allSatisfy(hop -> {
            End end = Objects.requireNonNull(byTarget.get(hop.to().address()));
            assertThat(end.verdict()).isEqualTo(Verdict.ACCEPTED);
            assertThat(end.masqueraded()).as("masqueraded to %s", hop.to()).isEqualTo(hop.masqueraded());
            assertThat(end.probability()).isCloseTo(1.0 / hops.size(), within(1e-6));
        });
    }

    private static List<ServicePlan> plans(Cluster cluster) {
        ServicePlanner planner = new ServicePlanner(cluster.node());
        return cluster.services().stream().map(planner::plan).toList();
    }

    private static Ruleset rules(NodeView node, List<ServicePlan> plans) {
        NodePlan nodePlan = NodePlanner.plan(node);
        return Ruleset.of(
                node.family(),
                FrameCompiler.compile(nodePlan),
                plans.stream()
                        .map(plan -> ServiceCompiler.compile(plan, nodePlan))
                        .toList());
    }
}
