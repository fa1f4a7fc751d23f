package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.netlink.ip.IpPort;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;

/** The compiled rules do what the plan says, for whatever Services, nodes and packets: the rules are walked, the plan foretells. */
@Domain(RandomCluster.class)
class RuleWalkProperties {

    @Property(tries = 2000)
    void rulesDoWhatThePlanForetells(@ForAll NodeView node, @ForAll List<ServiceView> services, @ForAll Packet packet) {
        List<ServicePlan> plans = plans(node, services);
        Ruleset rules = rules(node, plans);

        PacketFate foretold = new PacketOracle(ProxyMode.IPTABLES, node, plans).fate(packet);
        List<End> ends = new RuleWalk(rules, new HashSet<>(node.addresses())).walk(packet);

        assertThat(ends.stream().mapToDouble(End::probability).sum()).isCloseTo(1, within(1e-9));
        switch (foretold) {
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
            case PacketFate.Forwarded(var ignored, var hops) -> isSpreadOver(hops, ends);
        }
    }

    @Property
    void everyChainThatIsJumpedToExists(@ForAll NodeView node, @ForAll List<ServiceView> services) {
        Ruleset rules = rules(node, plans(node, services));
        rules.chains()
                .forEach((chain, content) -> assertThat(content)
                        .map(Rule::target)
                        .filteredOn(Target.Jump.class::isInstance)
                        .allSatisfy(target -> assertThat(rules.chains())
                                .containsKey(new ChainId(chain.table(), ((Target.Jump) target).chain()))));
    }

    @Property
    void textReadsBackAsTheSameRules(@ForAll NodeView node, @ForAll List<ServiceView> services) {
        Ruleset rules = rules(node, plans(node, services));
        assertThat(IptablesParser.parse(node.family(), IptablesText.print(rules)))
                .isEqualTo(rules);
    }

    @Property
    void aFragmentDependsOnItsServiceAlone(@ForAll NodeView node, @ForAll List<ServiceView> services) {
        NodePlan nodePlan = NodePlanner.plan(node);
        List<Fragment> together = plans(node, services).stream()
                .map(plan -> ServiceCompiler.compile(plan, nodePlan))
                .toList();
        assertThat(together.stream().flatMap(fragment -> fragment.chains().keySet().stream()))
                .as("no chain belongs to two Services")
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

    private static List<ServicePlan> plans(NodeView node, List<ServiceView> services) {
        ServicePlanner planner = new ServicePlanner(node);
        return services.stream().map(planner::plan).toList();
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
