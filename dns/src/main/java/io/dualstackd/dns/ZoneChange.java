package io.dualstackd.dns;

import java.util.Map;
import java.util.Optional;

/**
 * Services that are new, different or gone.
 *
 * @param complete whether Services that are not named here do not exist
 * @param services empty for one that is gone
 */
public record ZoneChange(boolean complete, Map<ServiceName, Optional<DnsService>> services) {
    public ZoneChange {
        services = Map.copyOf(services);
        services.forEach((name, service) -> {
            if (service.filter(s -> !s.name().equals(name)).isPresent()) {
                throw new IllegalArgumentException(name + " is not the name of " + service);
            }
        });
    }
}
