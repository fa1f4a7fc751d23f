package io.dualstackd.agent;

import io.dualstackd.agent.admin.StatusReport;
import io.dualstackd.agent.api.Node;
import io.dualstackd.agent.health.HttpAnswer;
import io.dualstackd.agent.health.io.HealthBoard;
import io.dualstackd.agent.health.io.HttpLoop;
import io.dualstackd.agent.health.io.ProxyEndpoints;
import io.dualstackd.agent.health.io.ServiceHealthPorts;
import io.dualstackd.agent.metrics.Metrics;
import io.dualstackd.agent.source.io.Store;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Everything that answers over HTTP, plugged together. */
record HealthServers(HttpLoop loop, ProxyEndpoints endpoints, ServiceHealthPorts ports) implements AutoCloseable {
    /** The autoscaler puts it on nodes it is about to remove. */
    private static final String LEAVING = "ToBeDeletedByClusterAutoscaler";

    /** How many periods a change may wait until the proxy counts as stuck. */
    private static final int PERIODS = 2;

    static HealthBoard board(DaemonSettings settings) {
        return new HealthBoard(Clock.systemUTC(), patience(settings));
    }

    /** How long a change may wait until the proxy counts as stuck. */
    static Duration patience(DaemonSettings settings) {
        return settings.pace().lookPeriod().multipliedBy(PERIODS);
    }

    /**
     * @param board where the lines write down how they are
     * @param report what metrics are made of; empty until the daemon is whole
     */
    static HealthServers start(
            DaemonSettings settings, Store store, HealthBoard board, Supplier<Optional<StatusReport>> report)
            throws IOException {
        HttpLoop loop = HttpLoop.start(settings.ns());
        try {
            ProxyEndpoints endpoints = ProxyEndpoints.start(
                    loop,
                    settings.endpoints(),
                    board,
                    () -> isEligible(store.node(settings.node().name())),
                    settings.mode().toString(),
                    () -> HttpAnswer.of(
                            200,
                            Metrics.CONTENT_TYPE,
                            report.get().map(Metrics::text).orElse("")));
            return new HealthServers(loop, endpoints, new ServiceHealthPorts(loop, board::isHealthy));
        } catch (IOException | RuntimeException e) {
            loop.close();
            throw e;
        }
    }

    /** Whether load balancers may use the node. Without an API server nobody has to have a Node object, and then nothing speaks against it. */
    static boolean isEligible(Optional<Node> node) {
        return node.map(object -> !object.deleting() && !object.taints().contains(LEAVING))
                .orElse(true);
    }

    @Override
    public void close() {
        endpoints.close();
        ports.close();
        loop.close();
    }
}
