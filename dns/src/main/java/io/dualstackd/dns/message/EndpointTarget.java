package io.dualstackd.dns.message;

import io.dualstackd.dns.DnsPort;
import io.dualstackd.netlink.ip.Ip;
import java.util.Optional;

/**
 * An address behind a name, with a port.
 *
 * @param port or {@link DnsPort#NONE}
 * @param label of an endpoint, whose name is a name of its own
 */
public record EndpointTarget(Ip address, int port, Optional<String> label) {}
