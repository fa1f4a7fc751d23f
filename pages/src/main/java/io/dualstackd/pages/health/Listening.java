package io.dualstackd.pages.health;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.util.Optional;

/**
 * The address and port of a listener.
 *
 * @param ip empty: on every address of both families
 * @param port 1 to 65535; 0 for one the kernel chooses
 */
public record Listening(Optional<Ip> ip, int port) {
    /** On every address of both families. */
    public static Listening everywhere(int port) {
        return new Listening(Optional.empty(), port);
    }

    /** The unspecified address of either family means every address, in both. */
    public static Listening on(IpPort address) {
        boolean unspecified = address.ip().equals(Ip.unspecified(address.ip().family()));
        return new Listening(unspecified ? Optional.empty() : Optional.of(address.ip()), address.port());
    }

    /**
     * Reads {@code ADDR}, {@code ADDR:PORT} or {@code [ADDR]:PORT}.
     *
     * @param usualPort when the text names none
     * @throws IllegalArgumentException with what is wrong
     */
    public static Listening parse(String text, int usualPort) {
        int bracket = text.lastIndexOf(']');
        int colon = text.lastIndexOf(':');
        boolean bareIpv6 = bracket < 0 && colon != text.indexOf(':');
        boolean withPort = colon > bracket && !bareIpv6;
        String host = withPort ? text.substring(0, colon) : text;
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        Ip ip = Ip.parse(bracketed ? host.substring(1, host.length() - 1) : host);
        return on(new IpPort(ip, withPort ? port(text.substring(colon + 1)) : usualPort));
    }

    private static int port(String text) {
        int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("the port must be 1 to 65535");
        }
        return port;
    }

    @Override
    public String toString() {
        return ip.map(address -> new IpPort(address, port).toString()).orElse("*:" + port);
    }
}
