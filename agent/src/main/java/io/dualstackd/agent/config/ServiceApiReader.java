package io.dualstackd.agent.config;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads the settings of the Service API, which have a meaning only if networks for cluster IPs are given. */
final class ServiceApiReader {
    /** The shortest IPv6 prefix; the addresses of a larger network cannot be numbered with 64 bits. */
    private static final int SHORTEST_IPV6 = 64;

    /** The fewest host bits of a network; the API server, too, rejects networks of fewer than eight addresses. */
    private static final int HOST_BITS = 3;

    private final ConfigValues configValues;

    private ServiceApiReader(ConfigValues configValues) {
        this.configValues = configValues;
    }

    static Optional<ServiceApiSettings> read(ConfigValues configValues) {
        return new ServiceApiReader(configValues).settings();
    }

    private Optional<ServiceApiSettings> settings() {
        List<IpPrefix> ranges = configValues.prefixes(Key.SERVICE_CLUSTER_IP_RANGE);
        ServiceApiSettings.Ports ports = ports();
        Semantics semantics = configValues.choice(Key.SERVICE_API_SEMANTICS, Semantics.class);
        Duration grace = configValues.duration(Key.SERVICE_CIDR_GRACE);
        boolean keeps = configValues.bool(Key.KEEP_KUBERNETES_SERVICE_IP);
        if (ranges.isEmpty()) {
            String rule = "has no meaning without " + Key.SERVICE_CLUSTER_IP_RANGE.flag();
            configValues.warn(Key.SERVICE_NODE_PORT_RANGE, rule);
            configValues.warn(Key.SERVICE_API_SEMANTICS, rule);
            configValues.warn(Key.KEEP_KUBERNETES_SERVICE_IP, rule);
            configValues.warn(Key.SERVICE_CIDR_GRACE, rule);
            return Optional.empty();
        }
        return fits(ranges)
                ? Optional.of(new ServiceApiSettings(ranges, ports, semantics, keeps, grace))
                : Optional.empty();
    }

    private ServiceApiSettings.Ports ports() {
        try {
            return ServiceApiSettings.Ports.parse(
                    configValues.nonEmpty(Key.SERVICE_NODE_PORT_RANGE).orElse(Key.SERVICE_NODE_PORT_RANGE.fallback()));
        } catch (IllegalArgumentException e) {
            configValues.refuse(Key.SERVICE_NODE_PORT_RANGE, String.valueOf(e.getMessage()));
            return ServiceApiSettings.Ports.parse(Key.SERVICE_NODE_PORT_RANGE.fallback());
        }
    }

    private boolean fits(List<IpPrefix> ranges) {
        Optional<String> wrong = wrong(ranges);
        wrong.ifPresent(rule -> configValues.refuse(Key.SERVICE_CLUSTER_IP_RANGE, rule));
        return wrong.isEmpty();
    }

    private static Optional<String> wrong(List<IpPrefix> ranges) {
        if (ranges.size() > 2) {
            return Optional.of("must be one network or two, not " + ranges.size());
        }
        if (ranges.size() == 2 && ranges.get(0).family() == ranges.get(1).family()) {
            return Optional.of("two networks must be of different IP families, and both are "
                    + ranges.get(0).family());
        }
        for (IpPrefix range : ranges) {
            if (range.family() == IpFamily.IPV6 && range.length() < SHORTEST_IPV6) {
                return Optional.of(range + " is too large: an IPv6 network must be /" + SHORTEST_IPV6 + " or smaller");
            }
            if (range.length() > range.family().bits() - HOST_BITS) {
                return Optional.of(range + " is too small: it must have at least 8 addresses");
            }
        }
        return Optional.empty();
    }
}
