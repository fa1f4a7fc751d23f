package io.dualstackd.dataplane.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.cases.CaseFile.Block;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.End;
import io.dualstackd.dataplane.rules.iptables.RuleWalk.Verdict;
import io.dualstackd.dataplane.rules.nftables.TableContent;
import io.dualstackd.dataplane.rules.nftables.TableListing;
import io.dualstackd.dataplane.rules.nftables.TableWalk;
import io.dualstackd.dataplane.rules.nftables.WholeTable;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same stories in nftables mode. Their rules are lines of iptables, so what is asked here is that the table of every step loads,
 * lists and loads again, and that packets end as predicted for this mode.
 */
@Tag("kernel")
class CasesInNftablesTest {
    static List<Path> cases() {
        return CaseFile.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyStepLoadsAndListsAndLoadsAgain(Path path) throws Exception {
        CaseWorld world = new CaseWorld();
        for (Block block : CaseFile.read(path).blocks()) {
            world.take(block);
            if (block.verb().equals("expect")) {
                assertThat(TableListing.of(table(world)))
                        .as("%s:%d", path, block.line())
                        .contains("chain nat-prerouting");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void packetsEndAsPredicted(Path path) {
        CaseWorld world = new CaseWorld();
        for (Block block : CaseFile.read(path).blocks()) {
            world.take(block);
            if (block.verb().equals("packets")) {
                block.body().forEach(line -> endsAsPredicted(world, PacketLine.parse(line)));
            }
        }
    }

    private static WholeTable table(CaseWorld world) {
        return WholeTable.of(NodePlanner.plan(world.node()), world.plans());
    }

    private static void endsAsPredicted(CaseWorld world, PacketLine line) {
        List<End> ends = new TableWalk(
                        TableContent.of(table(world)),
                        new HashSet<>(world.node().addresses()),
                        (chain, set, element) -> Optional.empty())
                .walk(line.packet());
        PacketFate fate =
                new PacketOracle(ProxyMode.NFTABLES, Planner.of(world.node()), world.plans()).fate(line.packet());
        switch (fate) {
            case PacketFate.NotOurs() ->
                assertThat(ends).as(line.text()).singleElement().satisfies(end -> {
                    assertThat(end.verdict()).isEqualTo(Verdict.ACCEPTED);
                    assertThat(end.translated()).isEmpty();
                });
            case PacketFate.Dropped ignored ->
                assertThat(ends).as(line.text()).extracting(End::verdict).containsOnly(Verdict.DROPPED);
            case PacketFate.Rejected ignored ->
                assertThat(ends).as(line.text()).extracting(End::verdict).containsOnly(Verdict.REJECTED);
            case PacketFate.Forwarded(var ignored, var reason, var hops) ->
                assertThat(ends.stream()
                                .map(end -> end.translated().orElseThrow() + " " + end.masqueraded())
                                .collect(Collectors.toSet()))
                        .as(line.text())
                        .isEqualTo(hops.stream()
                                .map(hop -> hop.to().address() + " " + hop.masqueraded())
                                .collect(Collectors.toSet()));
        }
    }
}
