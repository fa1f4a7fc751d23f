package io.dualstackd.dataplane.counters;

import java.util.Map;
import java.util.Optional;

/**
 * How many connections endpoints have had. In iptables mode these are the counters that the kernel has now: those of an endpoint begin
 * when its rule is written. In nftables mode what was read of an earlier counter is added.
 *
 * @param connections none of endpoints that are not counted
 * @param failed why they could not be read
 */
public record EndpointCounts(Map<CountedEndpoint, Long> connections, Optional<String> failed) {
    /** Where they are not counted. */
    public static final EndpointCounts NONE = new EndpointCounts(Map.of(), Optional.empty());

    public EndpointCounts {
        connections = Map.copyOf(connections);
    }
}
