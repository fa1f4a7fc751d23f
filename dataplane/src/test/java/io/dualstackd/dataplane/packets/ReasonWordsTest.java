package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.ip.Ip;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ReasonWordsTest {
    /** Hops other than the client itself are masqueraded unless the reason says that the source is kept. */
    @ParameterizedTest
    @EnumSource
    void theReasonSaysWhetherTheSourceIsKept(ProxyMode mode) {
        Stream.of(LabMap.values())
                .flatMap(Scenario::all)
                .filter(scenario -> scenario.existsIn(mode))
                .forEach(scenario -> scenario.flows().forEach(flow -> check(mode, scenario, flow)));
    }

    private static void check(ProxyMode mode, Scenario scenario, Flow flow) {
        Planner planner = Planner.of(scenario.node());
        Ip source = flow.from().address(scenario.map());
        PacketFate fate = new PacketOracle(
                        mode,
                        planner,
                        scenario.services().stream().map(planner::plan).toList())
                .fate(new Packet(source, flow.from().origin(), flow.destination(), flow.protocol(), flow.port()));
        if (fate instanceof PacketFate.Forwarded(var service, var reason, var hops)) {
            assertThat(reason.source()).matches("(kept|masqueraded): .*");
            hops.stream()
                    .filter(hop -> !hop.to().address().ip().equals(source))
                    .forEach(hop -> assertThat(hop.masqueraded())
                            .as(service + ": " + reason.source())
                            .isEqualTo(!reason.keepsSource()));
        }
    }
}
