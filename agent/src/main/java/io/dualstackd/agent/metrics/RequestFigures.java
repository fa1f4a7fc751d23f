package io.dualstackd.agent.metrics;

import java.util.Map;

/**
 * The results of requests to the API server.
 *
 * @param host of the server, with its port
 * @param outcomes how often
 * @param latencies by method; without watches
 */
public record RequestFigures(String host, Map<Outcome, Long> outcomes, Map<String, Distribution> latencies) {
    public RequestFigures {
        outcomes = Map.copyOf(outcomes);
        latencies = Map.copyOf(latencies);
    }

    /**
     * The result of a request.
     *
     * @param method {@code GET}
     * @param code the status, or {@code <error>} where there was none
     */
    public record Outcome(String method, String code) {}
}
