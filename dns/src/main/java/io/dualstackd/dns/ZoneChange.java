package io.dualstackd.dns;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Services that are added, changed or removed.
 *
 * @param complete whether Services that are missing here do not exist
 * @param services empty for one that was removed
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

    /** Both changes as one. */
    public ZoneChange then(ZoneChange later) {
        if (later.complete) {
            return later;
        }
        Map<ServiceName, Optional<DnsService>> both = new HashMap<>(services);
        both.putAll(later.services);
        return new ZoneChange(complete, both);
    }
}
