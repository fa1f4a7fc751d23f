package io.dualstackd.agent.config;

import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads the settings of the Service API, which have a meaning only if networks for cluster IPs are given. */
final class ServiceApiReader {
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
        Optional<String> wrong = ServiceApiSettings.wrong(ranges);
        wrong.ifPresent(rule -> configValues.refuse(Key.SERVICE_CLUSTER_IP_RANGE, rule));
        return wrong.isEmpty();
    }
}
