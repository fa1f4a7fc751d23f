package io.dualstackd.dns;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;

/**
 * The properties of a Service that its names depend on.
 *
 * @param ports of the Service; names of a headless one come from {@code endpoints}
 * @param publishNotReadyAddresses whether endpoints that are not ready are included
 * @param endpoints of all its slices
 */
public record DnsService(
        ServiceName name,
        Kind kind,
        List<DnsPort> ports,
        boolean publishNotReadyAddresses,
        List<DnsEndpoints> endpoints) {
    public DnsService {
        ports = List.copyOf(ports);
        endpoints = List.copyOf(endpoints);
    }

    /** What the name of the Service resolves to. */
    public sealed interface Kind {
        /**
         * Addresses of its own.
         *
         * @param addresses {@code spec.clusterIPs}
         */
        record ClusterIps(List<Ip> addresses) implements Kind {
            public ClusterIps {
                addresses = List.copyOf(addresses);
            }
        }

        /** {@code clusterIP: None}: the addresses of its endpoints. */
        record Headless() implements Kind {}

        /** Another name. A target that is an address, or not a domain name, does not resolve. */
        record ExternalName(String target) implements Kind {}
    }
}
