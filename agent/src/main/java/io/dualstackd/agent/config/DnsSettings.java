package io.dualstackd.agent.config;

import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import java.time.Duration;
import java.util.List;

/**
 * How questions about names of Services are answered where there is no cluster.
 *
 * @param listen at least one
 * @param clusterIps of the Service {@code kube-system/kube-dns}; none: the tenth address of each network of cluster IPs
 * @param clients networks whose clients are answered, besides the node and its pods
 * @param ttl of records, in whole seconds
 */
public record DnsSettings(
        List<Listen> listen,
        DnsName domain,
        Upstream upstream,
        List<Ip> clusterIps,
        List<IpPrefix> clients,
        Duration ttl) {
    /** The port on the node's own IPs: not that of DNS, which another resolver of the host may use. */
    public static final int NODE_PORT = 10_053;

    /** The port of DNS. */
    public static final int PORT = 53;

    private static final String NODE = "node";

    public DnsSettings {
        listen = List.copyOf(listen);
        clusterIps = List.copyOf(clusterIps);
        clients = List.copyOf(clients);
    }

    /** Where questions are received. */
    public sealed interface Listen {
        /** The node's own IPs, as they are chosen. */
        record NodeIps(int port) implements Listen {}

        /** An address of the node; not the unspecified one. */
        record Address(IpPort where) implements Listen {}

        /**
         * Reads {@code node}, {@code node:PORT}, {@code ADDR}, {@code ADDR:PORT} or {@code [ADDR]:PORT}.
         *
         * @throws IllegalArgumentException with the rule
         */
        static Listen parse(String text) {
            if (text.equals(NODE)) {
                return new NodeIps(NODE_PORT);
            }
            if (text.startsWith(NODE + ":")) {
                return new NodeIps(port(text.substring(NODE.length() + 1)));
            }
            IpPort where = address(text, PORT);
            if (where.ip().equals(Ip.unspecified(where.ip().family()))) {
                throw new IllegalArgumentException(
                        "\"" + text
                                + "\" must be one address of the node, or node for its own IPs: answers must leave from the address that was asked");
            }
            if (where.ip().isLinkLocal() && where.ip().family() == IpFamily.IPV6) {
                throw new IllegalArgumentException(
                        "\"" + text
                                + "\" is a link-local IPv6 address, which means nothing without an interface; use a unique local one (fd00::/8)");
            }
            return new Address(where);
        }
    }

    /** Where questions about other names go. */
    public sealed interface Upstream {
        /** Nowhere: they are refused. */
        record None() implements Upstream {}

        /** The resolvers of a file like {@code /etc/resolv.conf}. */
        record ResolvConfFile(String path) implements Upstream {}

        /** @param resolvers in the order in which they are asked */
        record Resolvers(List<Nameserver> resolvers) implements Upstream {
            public Resolvers {
                resolvers = List.copyOf(resolvers);
            }
        }
    }

    /** Reads {@code ADDR}, {@code ADDR:PORT} or {@code [ADDR]:PORT}. */
    static IpPort address(String text, int usualPort) {
        int bracket = text.lastIndexOf(']');
        int colon = text.lastIndexOf(':');
        boolean bareIpv6 = bracket < 0 && colon != text.indexOf(':');
        boolean withPort = colon > bracket && !bareIpv6;
        String host = withPort ? text.substring(0, colon) : text;
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        Ip ip = Ip.parse(bracketed ? host.substring(1, host.length() - 1) : host);
        return new IpPort(ip, withPort ? port(text.substring(colon + 1)) : usualPort);
    }

    private static int port(String text) {
        int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("the port must be 1 to 65535");
        }
        return port;
    }
}
