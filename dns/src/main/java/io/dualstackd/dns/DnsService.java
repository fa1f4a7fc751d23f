package io.dualstackd.dns;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;

/**
 * What names need to know of a Service.
 *
 * @param ports of the Service; names of a headless one come from {@code endpoints}
 * @param publishNotReadyAddresses whether endpoints count that are not ready
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

    /** What its name leads to. */
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

        /** Another name. One that is an address, or no domain name, leads nowhere. */
        record ExternalName(String target) implements Kind {}
    }
}
