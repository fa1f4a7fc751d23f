package io.dualstackd.pages.health;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The health-check node ports of one node: which there are in each family, where they answer, and with what. Load balancers query them for
 * whether this node has endpoints of a Service whose external traffic policy is Local.
 */
public final class HealthChecks {
    /** No Service has one. */
    public static final HealthChecks NONE = new HealthChecks(Map.of());

    private final Map<IpFamily, OfFamily> families;

    private HealthChecks(Map<IpFamily, OfFamily> families) {
        this.families = families;
    }

    /** @param byPort when two Services claim a port, the first by name gets it */
    private record OfFamily(
            NodePortMatch where, Map<ServiceKey, HealthCheck> byService, Map<Integer, ServiceKey> byPort) {
        static OfFamily of(NodePortMatch where, Map<ServiceKey, HealthCheck> byService) {
            Map<Integer, ServiceKey> byPort = new TreeMap<>();
            byService.forEach((key, check) -> byPort.putIfAbsent(check.nodePort(), key));
            return new OfFamily(where, byService, byPort);
        }
    }

    /**
     * These checks after a sync of one family.
     *
     * @param where node ports of the family answer
     * @param changes the current checks of the Services named; {@link HealthCheck#NONE} for one without a port
     */
    public HealthChecks after(IpFamily family, NodePortMatch where, Map<ServiceKey, HealthCheck> changes) {
        OfFamily before = families.get(family);
        boolean sameChecks = changes.entrySet().stream()
                .allMatch(change -> change.getValue().equals(check(before, change.getKey())));
        // Most changes concern Services without such a port.
        if (sameChecks && (before == null || before.where.equals(where))) {
            return this;
        }
        Map<ServiceKey, HealthCheck> byService = new TreeMap<>(before == null ? Map.of() : before.byService);
        changes.forEach((key, check) -> {
            if (check.nodePort() == 0) {
                byService.remove(key);
            } else {
                byService.put(key, check);
            }
        });
        Map<IpFamily, OfFamily> after = new EnumMap<>(IpFamily.class);
        after.putAll(families);
        after.put(family, OfFamily.of(where, byService));
        return new HealthChecks(after);
    }

    private static HealthCheck check(@Nullable OfFamily checks, ServiceKey key) {
        return checks == null ? HealthCheck.NONE : checks.byService.getOrDefault(key, HealthCheck.NONE);
    }

    /** Every listener that must be open. A port that answers everywhere in one family has one listener for both. */
    public Set<Listening> listenings() {
        Map<Integer, Set<Ip>> specific = new TreeMap<>();
        Set<Integer> everywhere = new TreeSet<>();
        families.forEach((family, checks) -> {
            switch (checks.where) {
                case NodePortMatch.AllLocal ignored -> everywhere.addAll(checks.byPort.keySet());
                case NodePortMatch.Only(var ips) ->
                    checks.byPort
                            .keySet()
                            .forEach(port -> specific.computeIfAbsent(port, p -> new TreeSet<>())
                                    .addAll(ips));
            }
        });
        Set<Listening> listenings = new java.util.LinkedHashSet<>();
        everywhere.forEach(port -> listenings.add(Listening.everywhere(port)));
        specific.forEach((port, ips) -> {
            if (!everywhere.contains(port)) {
                ips.forEach(ip -> listenings.add(new Listening(Optional.of(ip), port)));
            }
        });
        return listenings;
    }

    /** The Services that claim a port, for people. */
    public Set<ServiceKey> claimants(int port) {
        Set<ServiceKey> keys = new TreeSet<>();
        families.values()
                .forEach(checks -> Optional.ofNullable(checks.byPort.get(port)).ifPresent(keys::add));
        return keys;
    }

    /**
     * The answer to a load balancer, whatever path and method it uses.
     *
     * @param localAddress the node's address it connected to
     * @param proxyHealthy rules are up to date
     * @return empty when no Service of that family has the port, or node ports do not answer on that address
     */
    public Optional<HttpAnswer> answer(int port, Ip localAddress, boolean proxyHealthy) {
        OfFamily checks = families.get(localAddress.family());
        if (checks == null || !answersOn(checks.where, localAddress)) {
            return Optional.empty();
        }
        ServiceKey key = checks.byPort.get(port);
        HealthCheck check = key == null ? null : checks.byService.get(key);
        return key == null || check == null
                ? Optional.empty()
                : Optional.of(answer(key, check.localReadyEndpoints(), proxyHealthy));
    }

    private static boolean answersOn(NodePortMatch where, Ip localAddress) {
        return switch (where) {
            case NodePortMatch.AllLocal ignored -> true;
            case NodePortMatch.Only(var ips) -> ips.contains(localAddress);
        };
    }

    /** Names of Services and namespaces are DNS labels, so nothing needs escaping. */
    private static HttpAnswer answer(ServiceKey key, int endpoints, boolean proxyHealthy) {
        String body = """
                {
                \t"service": {
                \t\t"namespace": "%s",
                \t\t"name": "%s"
                \t},
                \t"localEndpoints": %d,
                \t"serviceProxyHealthy": %b
                }""".formatted(key.namespace(), key.name(), endpoints, proxyHealthy);
        return HttpAnswer.json(endpoints > 0 && proxyHealthy ? 200 : 503, body)
                .with("X-Load-Balancing-Endpoint-Weight", Integer.toString(endpoints));
    }
}
