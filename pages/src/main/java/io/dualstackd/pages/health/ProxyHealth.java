package io.dualstackd.pages.health;

import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The health of the proxy, and its answers to {@code /healthz} and {@code /livez}, which are kube-proxy's.
 *
 * @param timeout a change that waits this long makes the proxy unhealthy
 */
public record ProxyHealth(Map<IpFamily, FamilyHealth> families, Duration timeout) {
    public ProxyHealth {
        families = Map.copyOf(families);
    }

    /** The health before the first change. */
    public static ProxyHealth fresh(Duration timeout) {
        return new ProxyHealth(Map.of(), timeout);
    }

    /** One family in another state. */
    public ProxyHealth with(IpFamily family, FamilyHealth health) {
        Map<IpFamily, FamilyHealth> changed = new EnumMap<>(IpFamily.class);
        changed.putAll(families);
        changed.put(family, health);
        return new ProxyHealth(changed, timeout);
    }

    /** The same, with times by a clock that is ahead by so much. */
    public ProxyHealth shifted(Duration ahead) {
        ProxyHealth shifted = this;
        for (Map.Entry<IpFamily, FamilyHealth> family : families.entrySet()) {
            shifted = shifted.with(family.getKey(), family.getValue().shifted(ahead));
        }
        return shifted;
    }

    public FamilyHealth family(IpFamily family) {
        return families.getOrDefault(family, FamilyHealth.FRESH);
    }

    /** How long the oldest change of each family has waited to be in force; zero where none waits. */
    public Map<IpFamily, Duration> waits(Instant now) {
        Map<IpFamily, Duration> waits = new EnumMap<>(IpFamily.class);
        families.forEach((family, health) ->
                waits.put(family, Duration.between(health.waitingSince().orElse(now), now)));
        return waits;
    }

    /** Whether every family is healthy. */
    public boolean isHealthy(Instant now) {
        return families.values().stream().allMatch(family -> family.isHealthy(now, timeout));
    }

    /** {@code /healthz}: load balancers take nodes that do not answer 200 out of service for new connections. */
    public HttpAnswer healthz(Instant now, boolean nodeEligible) {
        boolean good = isHealthy(now) && nodeEligible;
        return answer(now, good, ", \"nodeEligible\": " + nodeEligible);
    }

    /** {@code /livez}: a supervisor restarts the daemon when this is not 200. */
    public HttpAnswer livez(Instant now) {
        return livez(now, true);
    }

    /** @param works no part of the daemon that is required is stuck */
    public HttpAnswer livez(Instant now, boolean works) {
        return answer(now, works && isHealthy(now), "");
    }

    private HttpAnswer answer(Instant now, boolean good, String more) {
        String body = "{\"lastUpdated\": " + quoted(good ? Optional.of(now) : lastUpdated()) + ", \"currentTime\": "
                + quoted(Optional.of(now)) + more + ", \"healthy\": " + isHealthy(now) + ", \"status\": {"
                + status(now) + "}}";
        return HttpAnswer.json(good ? 200 : 503, body);
    }

    private Optional<Instant> lastUpdated() {
        return families.values().stream()
                .flatMap(family -> family.lastUpdated().stream())
                .max(Comparator.naturalOrder());
    }

    private String status(Instant now) {
        return families.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .filter(entry -> entry.getValue().isJudged())
                .map(entry -> "\"" + entry.getKey() + "\": {\"lastUpdated\": "
                        + quoted(entry.getValue().lastUpdated()) + ", \"healthy\": "
                        + entry.getValue().isHealthy(now, timeout) + "}")
                .collect(Collectors.joining(", "));
    }

    /** Formats a time; an empty one as the time Go prints for "never", which readers of these answers know. */
    private static String quoted(Optional<Instant> time) {
        return "\"" + time.map(Instant::toString).orElse("0001-01-01T00:00:00Z") + "\"";
    }
}
