package io.dualstackd.agent.dns;

import io.dualstackd.dns.ClientNetworks;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which clients are answered: an open resolver on the Internet would be used for attacks on others. */
public final class AnsweredClients {
    private static final List<IpPrefix> LOOPBACK = prefixes("127.0.0.0/8", "::1/128");

    /** Networks that are not routed on the Internet: RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291. */
    private static final List<IpPrefix> PRIVATE = prefixes(
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "100.64.0.0/10",
            "169.254.0.0/16",
            "fc00::/7",
            "fe80::/10");

    private AnsweredClients() {}

    private static List<IpPrefix> prefixes(String... texts) {
        return Stream.of(texts).map(IpPrefix::parse).toList();
    }

    /**
     * Returns the node itself, its pods, and the given networks. In a family without known networks of pods, private networks count.
     *
     * @param own addresses of the node
     * @param pods networks of pods
     * @param given by the administrator, besides
     */
    public static ClientNetworks of(List<Ip> own, List<IpPrefix> pods, List<IpPrefix> given) {
        Set<Ip> addresses = new HashSet<>(own);
        List<IpPrefix> networks = new ArrayList<>(LOOPBACK);
        for (IpFamily family : IpFamily.values()) {
            List<IpPrefix> known = Stream.concat(pods.stream(), given.stream())
                    .filter(network -> network.family() == family)
                    .distinct()
                    .toList();
            networks.addAll(
                    known.isEmpty()
                            ? PRIVATE.stream()
                                    .filter(network -> network.family() == family)
                                    .toList()
                            : known);
        }
        return new ClientNetworks(addresses, networks);
    }
}
