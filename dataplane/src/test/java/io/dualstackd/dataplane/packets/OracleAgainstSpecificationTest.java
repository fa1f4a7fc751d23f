package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
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
                                        () -> assertThat(Verdict.predicted(mode, scenario, flow))
                                                .isEqualTo(flow.expected(mode))))));
    }
}
