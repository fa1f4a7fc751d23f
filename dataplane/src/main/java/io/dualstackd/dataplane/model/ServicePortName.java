package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.Proto;
import java.util.Comparator;

/**
 * The identity of one port of a Service. The protocol is part of it: one port number may serve TCP and UDP under two names.
 *
 * @param port the port's name, empty when the Service has a single unnamed port
 */
public record ServicePortName(ServiceKey service, String port, Proto protocol) implements Comparable<ServicePortName> {
    private static final Comparator<ServicePortName> ORDER = Comparator.comparing(ServicePortName::service)
            .thenComparing(ServicePortName::port)
            .thenComparing(ServicePortName::protocol);

    @Override
    public int compareTo(ServicePortName other) {
        return ORDER.compare(this, other);
    }

    /** {@code namespace/name:port}, or {@code namespace/name} when the port has no name. Chain names are hashes of this. */
    @Override
    public String toString() {
        return port.isEmpty() ? service.toString() : service + ":" + port;
    }
}
