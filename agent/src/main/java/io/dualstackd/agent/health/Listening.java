package io.dualstackd.agent.health;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.util.Optional;

/**
 * Where a listener listens.
 *
 * @param ip empty: on every address of both families
 * @param port 1 to 65535; 0 for one the kernel chooses
 */
public record Listening(Optional<Ip> ip, int port) {
    /** On every address of both families. */
    public static Listening everywhere(int port) {
        return new Listening(Optional.empty(), port);
    }

    /** The unspecified address of either family means everywhere, in both. */
    public static Listening on(IpPort address) {
        boolean unspecified = address.ip().equals(Ip.unspecified(address.ip().family()));
        return new Listening(unspecified ? Optional.empty() : Optional.of(address.ip()), address.port());
    }

    @Override
    public String toString() {
        return ip.map(address -> new IpPort(address, port).toString()).orElse("*:" + port);
    }
}
