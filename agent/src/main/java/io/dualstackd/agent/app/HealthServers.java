package io.dualstackd.agent.app;

import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.health.HealthPortListener;
import io.dualstackd.agent.health.io.HealthState;
import io.dualstackd.agent.health.io.HttpListeners;
import io.dualstackd.agent.health.io.ProxyEndpoints;
import io.dualstackd.agent.health.io.ServiceHealthPorts;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.time.Duration;

/** All HTTP servers of the daemon, wired up. */
record HealthServers(HttpListeners loop, ProxyEndpoints endpoints, ServiceHealthPorts ports) implements AutoCloseable {
    /** The number of periods that a change may wait before the proxy counts as stuck. */
    private static final int PERIODS = 2;

    static HealthState board(DaemonSettings settings, Platform platform) {
        return new HealthState(platform, platform.steady(), patience(settings));
    }

    /** How long a change may wait before the proxy counts as stuck. */
    static Duration patience(DaemonSettings settings) {
        return settings.pace().lookPeriod().multipliedBy(PERIODS);
    }

    /**
     * @param board where the reconcilers record their state
     * @param listener notified of health-check node ports that cannot be opened
     */
    static HealthServers start(
            DaemonSettings settings,
            Effects effects,
            HealthState board,
            ProxyPages pages,
            HealthPortListener listener,
            Supervisor supervisor)
            throws IOException {
        HttpListeners loop = effects.http().open(supervisor);
        try {
            ProxyEndpoints endpoints = ProxyEndpoints.start(
                    loop, settings.endpoints(), pages.healthz(), pages.metrics(), supervisor.platform());
            return new HealthServers(loop, endpoints, new ServiceHealthPorts(loop, board::isHealthy, listener));
        } catch (IOException | RuntimeException e) {
            loop.close();
            throw e;
        }
    }

    @Override
    public void close() {
        endpoints.close();
        ports.close();
        loop.close();
    }
}
