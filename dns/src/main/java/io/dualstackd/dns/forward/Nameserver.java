package io.dualstackd.dns.forward;

import io.dualstackd.netlink.ip.Ip;

/**
 * The address of a resolver.
 *
 * @param zone name of the interface of a link-local address, or empty
 */
public record Nameserver(Ip address, String zone, int port) {
    public static final int PORT = 53;

    @Override
    public String toString() {
        String host = zone.isEmpty() ? address.toString() : address + "%" + zone;
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
