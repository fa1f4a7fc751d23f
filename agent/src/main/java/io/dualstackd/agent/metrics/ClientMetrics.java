package io.dualstackd.agent.metrics;

import io.prometheus.metrics.model.snapshots.Labels;

/** The request metrics of client-go, under the same names: widely used dashboards for kube-proxy have panels for them. */
final class ClientMetrics {
    private ClientMetrics() {}

    static void write(ExpositionWriter expositionWriter, RequestFigures requests) {
        expositionWriter.counter(
                "rest_client_requests",
                "Requests to the API server; a watch counts when it begins",
                requests.outcomes().entrySet(),
                entry -> Labels.of(
                        "code",
                        entry.getKey().code(),
                        "host",
                        requests.host(),
                        "method",
                        entry.getKey().method()),
                entry -> entry.getValue());
        expositionWriter.histogram(
                "rest_client_request_duration_seconds",
                "From a request to the end of its answer, watches left out",
                requests.latencies().entrySet(),
                entry -> Labels.of("host", requests.host(), "verb", entry.getKey()),
                entry -> entry.getValue());
    }
}
