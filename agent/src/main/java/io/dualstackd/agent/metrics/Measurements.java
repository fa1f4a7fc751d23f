package io.dualstackd.agent.metrics;

import io.dualstackd.node.report.PodIpFigures;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counts and durations that are not in the status report.
 *
 * @param families one for each reconciler
 * @param healthz how often {@code /healthz} was answered with which status
 * @param livez the same for {@code /livez}
 * @param dualStackServices Services with both families
 * @param process this process; empty when the system does not report it
 * @param server empty without an API server
 * @param podIps empty while they are not compared
 */
public record Measurements(
        List<FamilyFigures> families,
        Map<Integer, Long> healthz,
        Map<Integer, Long> livez,
        int dualStackServices,
        Optional<ProcessFigures> process,
        Optional<ServerFigures> server,
        Optional<PodIpFigures> podIps) {
    public Measurements {
        families = List.copyOf(families);
        healthz = Map.copyOf(healthz);
        livez = Map.copyOf(livez);
    }
}
