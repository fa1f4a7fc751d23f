package io.dualstackd.kubeapi.access;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A proxy that forwards connections to the API server.
 *
 * @param socks SOCKS 5; otherwise HTTP {@code CONNECT}
 * @param user empty when the proxy requires none
 * @param password secret, not included in the text form
 */
public record Proxy(boolean socks, String host, int port, Optional<String> user, String password) {
    private static final Optional<Ip> IPV6_LOOPBACK = Optional.of(Ip.parse("::1"));
    private static final int HTTP_PORT = 80;
    private static final int SOCKS_PORT = 1080;

    /**
     * Returns the proxy for a server: {@code proxy-url} of the kubeconfig, else {@code HTTPS_PROXY} ({@code HTTP_PROXY} for a server
     * without TLS) of the environment, in upper or lower case, unless {@code NO_PROXY} names the server or the server is this machine.
     *
     * @throws IllegalArgumentException if the URL is of an unsupported kind; the message names it
     */
    public static Optional<Proxy> of(ClusterAccess server, Map<String, String> environment) {
        if (server.proxy().isPresent()) {
            return Optional.of(parse("proxy-url", server.proxy().get()));
        }
        String name = server.secure() ? "HTTPS_PROXY" : "HTTP_PROXY";
        Optional<String> url = variable(environment, name);
        if (url.isEmpty()
                || isLocal(server.host())
                || excluded(server, variable(environment, "NO_PROXY").orElse(""))) {
            return Optional.empty();
        }
        return url.map(text -> parse(name, text));
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Stream.of(name, name.toLowerCase(Locale.ROOT))
                .map(each -> environment.getOrDefault(each, "").strip())
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    private static Proxy parse(String where, String url) {
        int scheme = url.indexOf("://");
        String kind = scheme < 0 ? "http" : url.substring(0, scheme).toLowerCase(Locale.ROOT);
        boolean socks = kind.equals("socks5") || kind.equals("socks5h");
        if (!socks && !kind.equals("http")) {
            throw new IllegalArgumentException(
                    where + ": a proxy of kind \"" + kind + "\" cannot be used; http and socks5 can");
        }
        String rest = scheme < 0 ? url : url.substring(scheme + 3);
        int slash = rest.indexOf('/');
        rest = slash < 0 ? rest : rest.substring(0, slash);
        int at = rest.lastIndexOf('@');
        Optional<String> account = at < 0 ? Optional.empty() : Optional.of(rest.substring(0, at));
        String place = rest.substring(at + 1);
        int colon = place.lastIndexOf(':');
        boolean hasPort = colon > place.lastIndexOf(']');
        String host =
                (hasPort ? place.substring(0, colon) : place).replace("[", "").replace("]", "");
        int port = hasPort ? port(where, place.substring(colon + 1)) : socks ? SOCKS_PORT : HTTP_PORT;
        if (host.isEmpty()) {
            throw new IllegalArgumentException(where + ": there is no host in the proxy's URL");
        }
        return new Proxy(
                socks,
                host,
                port,
                account.map(both -> decoded(where, both.contains(":") ? both.substring(0, both.indexOf(':')) : both)),
                account.map(both -> decoded(where, both.contains(":") ? both.substring(both.indexOf(':') + 1) : ""))
                        .orElse(""));
    }

    /** Decodes a user or a password, in which a plus stands for itself. */
    private static String decoded(String where, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // The text may be a password.
            throw new IllegalArgumentException(
                    where + ": in the proxy's user and password % must be followed by two hexadecimal digits", e);
        }
    }

    private static int port(String where, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(where + ": the proxy's port is \"" + text + "\"; 1 to 65535 is allowed");
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || host.startsWith("127.") || ip(host).equals(IPV6_LOOPBACK);
    }

    private static boolean excluded(ClusterAccess server, String noProxy) {
        for (String entry : noProxy.split(",", -1)) {
            String rule = entry.strip().toLowerCase(Locale.ROOT);
            if (rule.equals("*")
                    || (!rule.isEmpty() && matches(rule, server.host().toLowerCase(Locale.ROOT), server.port()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String rule, String host, int port) {
        String withPort = ":" + port;
        boolean bracketed = rule.startsWith("[");
        // Without brackets the end of an IPv6 address would be taken for a port.
        String place = rule.endsWith(withPort) && (bracketed || ip(rule).isEmpty())
                ? rule.substring(0, rule.length() - withPort.length())
                : rule;
        String name = bracketed && place.endsWith("]") ? place.substring(1, place.length() - 1) : place;
        if (name.equals(host) || (ip(name).isPresent() && ip(name).equals(ip(host)))) {
            return true;
        }
        if (rule.indexOf('/') > 0) {
            return inNetwork(rule, host);
        }
        String domain = rule.startsWith("*.") ? rule.substring(1) : rule;
        return host.endsWith(domain.startsWith(".") ? domain : "." + domain);
    }

    /** The address that this is; it may be written in several ways. */
    private static Optional<Ip> ip(String text) {
        try {
            return Optional.of(Ip.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean inNetwork(String rule, String host) {
        try {
            return IpPrefix.parse(rule).contains(Ip.parse(host));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return (socks ? "socks5://" : "http://") + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
