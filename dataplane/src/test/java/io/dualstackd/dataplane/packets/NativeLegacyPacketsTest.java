package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** That the rules are those of the other variant, listings show; here packets meet them in the tables of iptables legacy. */
@Tag("kernel")
final class NativeLegacyPacketsTest extends ScenarioContract {
    @Override
    Stream<Scenario> scenarios() {
        return Stream.of(LabMap.values())
                .flatMap(map -> Stream.concat(FlowMatrix.scenarios(map), EdgeCases.scenarios(map)))
                .filter(scenario -> scenario.existsIn(mode()));
    }

    @Override
    protected ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) {
        return new NativeLegacy(lab.node());
    }
}
