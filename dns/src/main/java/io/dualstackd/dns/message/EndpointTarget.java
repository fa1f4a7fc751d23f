package io.dualstackd.dns.message;

import io.dualstackd.dns.DnsPort;
import io.dualstackd.netlink.ip.Ip;
import java.util.Optional;

/**
 * The address and port that a name resolves to.
 *
 * @param port or {@link DnsPort#NONE}
 * @param label of an endpoint, which has a name of its own
 */
public record EndpointTarget(Ip address, int port, Optional<String> label) {}
