package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every connection of every scenario, judged over the plans alone, as both modes would have it. */
final class OracleAgainstSpecificationTest {
    @TestFactory
    Stream<DynamicContainer> iptables() {
        return scenarios(ProxyMode.IPTABLES);
    }

    @TestFactory
    Stream<DynamicContainer> nftables() {
        return scenarios(ProxyMode.NFTABLES);
    }

    private static Stream<DynamicContainer> scenarios(ProxyMode mode) {
        return Stream.of(LabMap.values())
                .flatMap(Scenario::all)
                .filter(scenario -> scenario.existsIn(mode))
                .map(scenario -> DynamicContainer.dynamicContainer(
                        scenario.toString(),
                        scenario.flows().stream()
                                .map(flow -> DynamicTest.dynamicTest(
                                        flow.toString(),
                                        () -> assertThat(foretold(mode, scenario, flow))
                                                .isEqualTo(flow.expected(mode))))));
    }

    private static Expected foretold(ProxyMode mode, Scenario scenario, Flow flow) {
        ServicePlanner planner = new ServicePlanner(scenario.node());
        List<ServicePlan> plans =
                scenario.services().stream().map(planner::plan).toList();
        PacketFate fate = new PacketOracle(mode, scenario.node(), plans)
                .fate(new Packet(
                        flow.from().address(scenario.map()),
                        flow.from().origin(),
                        flow.destination(),
                        flow.protocol(),
                        flow.port()));
        return Verdict.of(fate, scenario.map(), flow);
    }
}
