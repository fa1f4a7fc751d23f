package io.dualstackd.dns;

import java.util.List;

/**
 * Endpoints with the same ports, as in an EndpointSlice.
 *
 * @param ports empty when the slice has none
 */
public record DnsEndpoints(List<DnsPort> ports, List<DnsEndpoint> endpoints) {
    public DnsEndpoints {
        ports = List.copyOf(ports);
        endpoints = List.copyOf(endpoints);
    }
}
