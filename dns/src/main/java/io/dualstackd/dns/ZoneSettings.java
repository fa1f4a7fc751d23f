package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsName;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * Settings of the zone that is answered with authority.
 *
 * @param domain {@code cluster.local}
 * @param ttl seconds of all records but {@code dns-version}; also how long negative answers may be cached; 0 to 3600
 * @param reverse networks in which addresses without a Service do not exist; questions about others are forwarded
 * @param server the Service by which this server is reached; it is the zone's name server
 * @param serverAddresses addresses of the name server as long as there is no such Service
 * @param podNames whether {@code 10-1-2-3.ns.pod.cluster.local} is {@code 10.1.2.3}
 */
public record ZoneSettings(
        DnsName domain,
        int ttl,
        List<IpPrefix> reverse,
        ServiceName server,
        List<Ip> serverAddresses,
        boolean podNames) {
    /** The default of {@link #ttl}, in seconds. */
    public static final int DEFAULT_TTL = 5;

    private static final int MAX_TTL = 3_600;

    /** The longest label before the domain in a record that is always there. */
    static final String MAILBOX = "hostmaster";

    public ZoneSettings {
        reverse = List.copyOf(reverse);
        serverAddresses = List.copyOf(serverAddresses);
        if (ttl < 0 || ttl > MAX_TTL) {
            throw new IllegalArgumentException("a TTL of " + ttl + " s is not in 0.." + MAX_TTL + " s");
        }
        if (domain.labels() == 0) {
            throw new IllegalArgumentException(
                    "the root is no domain for Services: names of others would not be found");
        }
        if (domain.child(MAILBOX).isEmpty()) {
            throw new IllegalArgumentException(
                    "the domain is too long: with \"" + MAILBOX + ".\" before it, it is longer than a name may be");
        }
    }

    /** The defaults of CoreDNS, for these networks. */
    public static ZoneSettings defaults(DnsName domain, List<IpPrefix> reverse) {
        return new ZoneSettings(
                domain, DEFAULT_TTL, reverse, new ServiceName("kube-system", "kube-dns"), List.of(), true);
    }
}
