package io.dualstackd.agent.config;

import io.dualstackd.dns.ZoneSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.ServiceRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the settings of DNS, which have a meaning only without an API server. */
final class DnsReader {
    private static final Duration LONGEST_TTL = Duration.ofHours(1);

    /** The number of the default cluster IP in its network, where the first address is number 1; kubeadm uses the same. */
    private static final int TENTH = 10;

    private static final String NONE = "none";

    private final ConfigValues configValues;

    private DnsReader(ConfigValues configValues) {
        this.configValues = configValues;
    }

    static Optional<DnsSettings> read(ConfigValues configValues) {
        return new DnsReader(configValues).settings();
    }

    private Optional<DnsSettings> settings() {
        List<DnsSettings.Listen> listen = listen();
        DnsSettings settings = new DnsSettings(
                listen, domain(), upstream(), clusterIps(), configValues.prefixes(Key.DNS_CLIENTS), ttl());
        if (!configValues.isGiven(Key.DNS_LISTEN)) {
            Stream.of(Key.DNS_DOMAIN, Key.DNS_UPSTREAM, Key.DNS_CLUSTER_IPS, Key.DNS_CLIENTS, Key.DNS_TTL)
                    .filter(configValues::isGiven)
                    .forEach(key -> configValues.warn(key, "has no meaning without " + Key.DNS_LISTEN.flag()));
            return Optional.empty();
        }
        if (!configValues.bool(Key.STANDALONE)) {
            configValues.refuse(
                    Key.DNS_LISTEN,
                    "has a meaning only with --standalone: in a cluster, the cluster's own DNS (CoreDNS) answers for its Services");
            return Optional.empty();
        }
        return Optional.of(settings);
    }

    private List<DnsSettings.Listen> listen() {
        List<DnsSettings.Listen> places = new ArrayList<>();
        List<String> words = configValues.words(Key.DNS_LISTEN);
        if (words.isEmpty() && configValues.isGiven(Key.DNS_LISTEN)) {
            configValues.refuse(Key.DNS_LISTEN, "has no address; leave it out for no DNS server");
        }
        for (String word : words) {
            try {
                DnsSettings.Listen place = DnsSettings.Listen.parse(word);
                if (places.contains(place)) {
                    configValues.refuse(Key.DNS_LISTEN, "\"" + word + "\" is there twice");
                }
                places.add(place);
            } catch (IllegalArgumentException e) {
                configValues.refuse(
                        Key.DNS_LISTEN,
                        "must be node or an address of the node, each with or without a port: "
                                + Objects.toString(e.getMessage(), word));
            }
        }
        return places;
    }

    private DnsName domain() {
        try {
            DnsName name = DnsName.parse(configValues.text(Key.DNS_DOMAIN));
            if (name.labels() > 0) {
                // Checks that its names can have their lengths.
                var _ = ZoneSettings.defaults(name, List.of());
                return name;
            }
            configValues.refuse(Key.DNS_DOMAIN, "must be a domain name like " + Key.DNS_DOMAIN.fallback());
        } catch (IllegalArgumentException e) {
            configValues.refuse(
                    Key.DNS_DOMAIN,
                    "must be a domain name like " + Key.DNS_DOMAIN.fallback() + ": "
                            + Objects.toString(e.getMessage(), "it is none"));
        }
        return DnsName.parse(Key.DNS_DOMAIN.fallback());
    }

    private DnsSettings.Upstream upstream() {
        String text = configValues.nonEmpty(Key.DNS_UPSTREAM).orElse(Key.DNS_UPSTREAM.fallback());
        if (text.equals(NONE)) {
            return new DnsSettings.Upstream.None();
        }
        if (text.startsWith("/")) {
            return new DnsSettings.Upstream.ResolvConfFile(text);
        }
        List<Nameserver> resolvers = new ArrayList<>();
        List<String> words = configValues.words(Key.DNS_UPSTREAM);
        if (words.isEmpty()) {
            configValues.refuse(
                    Key.DNS_UPSTREAM, "has no address; to refuse questions about other names write " + NONE);
        }
        for (String word : words) {
            try {
                IpPort where = DnsSettings.address(word, Nameserver.PORT);
                resolvers.add(new Nameserver(where.ip(), "", where.port()));
            } catch (IllegalArgumentException e) {
                configValues.refuse(
                        Key.DNS_UPSTREAM,
                        "must be addresses, each with or without a port, the path of a file like /etc/resolv.conf, or none: "
                                + Objects.toString(e.getMessage(), word));
            }
        }
        return new DnsSettings.Upstream.Resolvers(resolvers);
    }

    private List<Ip> clusterIps() {
        List<Ip> ips = new ArrayList<>();
        for (String word : configValues.words(Key.DNS_CLUSTER_IPS)) {
            configValues.parsed(Key.DNS_CLUSTER_IPS, word, Ip::parse).ifPresent(ips::add);
        }
        Set<Object> families = new HashSet<>();
        ips.stream()
                .filter(ip -> !families.add(ip.family()))
                .forEach(ip -> configValues.refuse(
                        Key.DNS_CLUSTER_IPS, "must be one address or two of different IP families"));
        List<IpPrefix> ranges = configValues.prefixesOrNone(Key.SERVICE_CLUSTER_IP_RANGE);
        if (!configValues.isGiven(Key.DNS_LISTEN) || ranges.isEmpty()) {
            return ips;
        }
        for (Ip ip : ips) {
            if (ranges.stream().map(ServiceRange::new).noneMatch(range -> range.contains(ip))) {
                configValues.refuse(
                        Key.DNS_CLUSTER_IPS,
                        ip + " is not a cluster IP of " + Key.SERVICE_CLUSTER_IP_RANGE.flag() + " "
                                + configValues.text(Key.SERVICE_CLUSTER_IP_RANGE));
            }
        }
        return ips.isEmpty() ? tenths(ranges) : ips;
    }

    private List<Ip> tenths(List<IpPrefix> ranges) {
        List<Ip> ips = new ArrayList<>();
        for (IpPrefix network : ranges) {
            ServiceRange range = new ServiceRange(network);
            if (Long.compareUnsigned(range.size(), TENTH) < 0) {
                configValues.refuse(
                        Key.DNS_LISTEN,
                        "the network " + network + " of " + Key.SERVICE_CLUSTER_IP_RANGE.flag()
                                + " has no tenth address for DNS: give its address by " + Key.DNS_CLUSTER_IPS.flag());
            } else {
                ips.add(range.at(TENTH - 1));
            }
        }
        return ips;
    }

    private Duration ttl() {
        Duration ttl = configValues.duration(Key.DNS_TTL);
        if (ttl.compareTo(LONGEST_TTL) > 0 || ttl.toNanosPart() != 0) {
            configValues.refuse(Key.DNS_TTL, "must be 0s to 1h, in whole seconds");
            return Duration.ZERO;
        }
        return ttl;
    }
}
