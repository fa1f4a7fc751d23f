package io.dualstackd.pages.health.io;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pages.health.HealthChecks;
import io.dualstackd.pages.health.HealthPortListener;
import io.dualstackd.pages.health.Listening;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners behind health-check node ports. A port that cannot be opened is reported, and tried again after the next sync. */
public final class ServiceHealthPorts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("health");

    private final HttpListeners loop;
    private final BooleanSupplier proxyHealthy;
    private final HealthPortListener listener;
    /** Guarded by this. */
    private final Map<Listening, HttpListeners.Listener> open = new LinkedHashMap<>();
    /** Guarded by this. */
    private final Map<Listening, String> problems = new LinkedHashMap<>();

    /** A copy of the problems, for readers: {@link #after} holds the lock while it listens. */
    private volatile Map<Listening, String> known = Map.of();

    private boolean closed;

    private volatile HealthChecks checks = HealthChecks.NONE;

    /** @param proxyHealthy called for every answer, on the loop's thread */
    public ServiceHealthPorts(HttpListeners loop, BooleanSupplier proxyHealthy, HealthPortListener listener) {
        this.loop = loop;
        this.listener = listener;
        this.proxyHealthy = proxyHealthy;
    }

    /**
     * A sync of a family has put this in force.
     *
     * @param changes the current checks of these Services; {@link HealthCheck#NONE} for one without a port
     */
    public synchronized void after(IpFamily family, NodePortMatch where, Map<ServiceKey, HealthCheck> changes) {
        HealthChecks before = checks;
        checks = before.after(family, where, changes);
        if ((checks != before || !problems.isEmpty()) && !closed) {
            listenWhereWanted();
            known = Map.copyOf(problems);
        }
    }

    private void listenWhereWanted() {
        Set<Listening> wanted = checks.listenings();
        open.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                LOG.info("health-check node port closed address={}", entry.getKey());
                entry.getValue().close();
            }
            return gone;
        });
        problems.keySet().retainAll(wanted);
        wanted.stream().filter(where -> !open.containsKey(where)).forEach(this::listen);
    }

    private void listen(Listening where) {
        try {
            open.put(
                    where,
                    loop.listen(
                            where,
                            (request, localAddress) ->
                                    checks.answer(where.port(), localAddress, proxyHealthy.getAsBoolean())));
            problems.remove(where);
            LOG.info("health-check node port open address={} services={}", where, checks.claimants(where.port()));
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(problems.put(where, reason))) {
                LOG.error(
                        "health-check node port not open address={} services={} reason=\"{}\" next=retry-after-the-next-sync",
                        where,
                        checks.claimants(where.port()),
                        reason);
                checks.claimants(where.port()).forEach(service -> listener.cannotListen(service, where, reason));
            }
        }
    }

    /** The Services whose ports are not open, and why, for people; sorted. */
    public List<String> problems() {
        Map<String, String> sorted = new TreeMap<>();
        known.forEach((where, reason) ->
                sorted.put(where.toString(), where + " " + checks.claimants(where.port()) + ": " + reason));
        return new ArrayList<>(sorted.values());
    }

    @Override
    public synchronized void close() {
        closed = true;
        open.values().forEach(HttpListeners.Listener::close);
        open.clear();
    }
}
