package io.dualstackd.dataplane.rules.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.iptables.RandomCluster;
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
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The compiled table behaves as planned for random Services, nodes and packets: a walk through the table agrees with the oracle. */
@Tag("slow")
class TableWalkProperties {

    @Test
    void tableBehavesAsPlanned() {
        Tries.of(2000, draw -> tableBehavesAsPlanned(RandomCluster.of(draw)));
    }

    private void tableBehavesAsPlanned(Cluster cluster) {
        NodeView node = cluster.node();
        Planner planner = Planner.of(node);
        List<ServicePlan> plans = cluster.services().stream().map(planner::plan).toList();
        TableContent table = TableContent.of(WholeTable.of(planner.nodePlan(), plans));

        PacketFate predicted = new PacketOracle(ProxyMode.NFTABLES, planner, plans).fate(cluster.packet());
        List<End> ends = new TableWalk(
                        table, new HashSet<>(node.addresses()), (chain, set, element) -> Optional.empty())
                .walk(cluster.packet());

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

    private static void isSpreadOver(List<PacketFate.Hop> hops, List<End> ends) {
        Map<IpPort, End> byTarget =
                ends.stream().collect(Collectors.toMap(end -> end.translated().orElseThrow(), end -> end));
        assertThat(byTarget.keySet())
                .isEqualTo(hops.stream().map(hop -> hop.to().address()).collect(Collectors.toSet()));
        assertThat(hops).allSatisfy(hop -> {
            End end = Objects.requireNonNull(byTarget.get(hop.to().address()));
            assertThat(end.verdict()).isEqualTo(Verdict.ACCEPTED);
            assertThat(end.masqueraded()).as("masqueraded to %s", hop.to()).isEqualTo(hop.masqueraded());
            assertThat(end.probability()).isCloseTo(1.0 / hops.size(), within(1e-9));
        });
    }
}
