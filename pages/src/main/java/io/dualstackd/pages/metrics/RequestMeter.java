package io.dualstackd.pages.metrics;

import io.dualstackd.kubeapi.client.RequestObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Records the results of requests to the API server: written only by the thread that sends them, read by any thread. */
public final class RequestMeter implements RequestObserver {
    /** The code client-go uses where there is no status. */
    private static final String NO_ANSWER = "<error>";

    private final ConcurrentMap<Outcome, Long> outcomes = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Histogram> latencies = new ConcurrentHashMap<>();

    @Override
    public void answered(String method, int status) {
        count(method, Integer.toString(status));
    }

    @Override
    public void unanswered(String method) {
        count(method, NO_ANSWER);
    }

    private void count(String method, String code) {
        outcomes.merge(new Outcome(method, code), 1L, Long::sum);
    }

    @Override
    public void took(String method, long nanos) {
        latencies
                .computeIfAbsent(method, ignored -> new Histogram(Buckets.REQUEST))
                .observe(nanos);
    }

    Map<Outcome, Long> outcomes() {
        return outcomes;
    }

    /** By method. */
    Map<String, Histogram> latencies() {
        return latencies;
    }

    /**
     * The result of a request.
     *
     * @param method {@code GET}
     * @param code the status, or {@code <error>} where there was none
     */
    record Outcome(String method, String code) {}
}
