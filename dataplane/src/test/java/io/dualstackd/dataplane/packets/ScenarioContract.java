package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With real packets: a client sees what the specification requires and what the oracle predicts. */
public abstract class ScenarioContract extends PacketContract {
    /** Most connections wait for a timeout or for the scheduler, not for a processor. */
    private static final int AT_ONCE = 8;

    Stream<Scenario> scenarios() {
        return Stream.of(LabMap.values()).flatMap(Scenario::all).filter(scenario -> scenario.existsIn(mode()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void packetsEndAsSpecified(Scenario scenario) throws Exception {
        lab().nodeHolds(scenario.heldByNode());
        dataplane().program(scenario.node(), scenario.services());
        assertThat(surprises(scenario)).isEmpty();
    }

    private List<String> surprises(Scenario scenario) throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<Optional<String>>> answers = scenario.flows().stream()
                    .map(flow -> clients.submit(() -> surprise(scenario, flow)))
                    .toList();
            List<String> surprises = new ArrayList<>();
            for (Future<Optional<String>> answer : answers) {
                answer.get().ifPresent(surprises::add);
            }
            return surprises;
        }
    }

    private Optional<String> surprise(Scenario scenario, Flow flow) throws Exception {
        Expected expected = flow.expected(mode());
        Expected predicted = Verdict.predicted(mode(), scenario, flow);
        String seen = Observation.of(lab(), scenario.map(), flow, expected);
        boolean agreed = seen.equals(expected.toString()) && seen.equals(predicted.toString());
        return agreed
                ? Optional.empty()
                : Optional.of(flow + ": seen " + seen + ", specified " + expected + ", foretold " + predicted);
    }
}
