package io.dualstackd.dataplane.counters;

import java.util.Map;
import java.util.Optional;

/**
 * How many connections endpoints have had, by the counters that the kernel has now: those of an endpoint begin when its rule is written.
 *
 * @param connections none of endpoints that are not counted
 * @param failed why they could not be read
 */
public record EndpointCounts(Map<CountedEndpoint, Long> connections, Optional<String> failed) {
    /** Of modes that do not count them. */
    public static final EndpointCounts NONE = new EndpointCounts(Map.of(), Optional.empty());

    public EndpointCounts {
        connections = Map.copyOf(connections);
    }
}
