package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DnsReaderTest {
    private static ConfigResult read(Map<Key, String> flags) {
        Map<Key, String> all = new EnumMap<>(Key.class);
        all.putAll(Map.of(Key.STANDALONE, "true", Key.MANIFESTS, "/m"));
        all.putAll(flags);
        return ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), all));
    }

    private static Optional<DnsSettings> usable(Map<Key, String> flags) {
        ConfigResult result = read(flags);
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        return ((ConfigResult.Usable) result).config().dns();
    }

    private static List<String> refused(Map<Key, String> flags) {
        ConfigResult result = read(flags);
        assertThat(result).isInstanceOf(ConfigResult.Refused.class);
        return ((ConfigResult.Refused) result)
                .problems().stream().map(Problem::toString).toList();
    }

    @Test
    void offUnlessAnAddressIsGiven() {
        assertThat(usable(Map.of())).isEmpty();
        assertThat(usable(Map.of(Key.DNS_LISTEN, ""))).isEmpty();
        ConfigResult result = read(Map.of(Key.DNS_DOMAIN, "example.com", Key.DNS_TTL, "30s"));
        assertThat(((ConfigResult.Usable) result).warnings())
                .hasSize(2)
                .allMatch(warning -> warning.rule().equals("has no meaning without --dns-listen"));
    }

    @Test
    void theDefaults() {
        DnsSettings dns = usable(
                        Map.of(Key.DNS_LISTEN, "node", Key.SERVICE_CLUSTER_IP_RANGE, "fd00:96::/112,10.96.0.0/16"))
                .orElseThrow();
        assertThat(dns.listen()).containsExactly(new DnsSettings.Listen.NodeIps(10_053));
        assertThat(dns.domain()).hasToString("cluster.local.");
        assertThat(dns.upstream()).isEqualTo(new DnsSettings.Upstream.ResolvConfFile("/etc/resolv.conf"));
        assertThat(dns.clusterIps()).containsExactly(Ip.parse("fd00:96::a"), Ip.parse("10.96.0.10"));
        assertThat(dns.clients()).isEmpty();
        assertThat(dns.ttl()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void everythingGiven() {
        DnsSettings dns = usable(Map.of(
                        Key.DNS_LISTEN,
                        "node:53, 169.254.20.10,[fd00::a]:5353,fd00::b",
                        Key.DNS_DOMAIN,
                        "k8s.example.",
                        Key.DNS_UPSTREAM,
                        "192.0.2.1,[2001:db8::1]:5353",
                        Key.DNS_CLUSTER_IPS,
                        "10.96.0.53,fd00:96::53",
                        Key.DNS_CLIENTS,
                        "192.0.2.0/24",
                        Key.DNS_TTL,
                        "1h"))
                .orElseThrow();
        assertThat(dns.listen())
                .containsExactly(
                        new DnsSettings.Listen.NodeIps(53),
                        new DnsSettings.Listen.Address(new IpPort(Ip.parse("169.254.20.10"), 53)),
                        new DnsSettings.Listen.Address(new IpPort(Ip.parse("fd00::a"), 5353)),
                        new DnsSettings.Listen.Address(new IpPort(Ip.parse("fd00::b"), 53)));
        assertThat(dns.domain()).hasToString("k8s.example.");
        assertThat(((DnsSettings.Upstream.Resolvers) dns.upstream()).resolvers())
                .extracting(Object::toString)
                .containsExactly("192.0.2.1:53", "[2001:db8::1]:5353");
        assertThat(dns.clusterIps()).containsExactly(Ip.parse("10.96.0.53"), Ip.parse("fd00:96::53"));
        assertThat(dns.clients()).containsExactly(IpPrefix.parse("192.0.2.0/24"));
        assertThat(dns.ttl()).isEqualTo(Duration.ofHours(1));
        assertThat(usable(Map.of(Key.DNS_LISTEN, "node", Key.DNS_UPSTREAM, "none"))
                        .orElseThrow()
                        .upstream())
                .isEqualTo(new DnsSettings.Upstream.None());
    }

    @ParameterizedTest(name = "{0}={1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            DNS_LISTEN      | nodes              | must be node or an address of the node, each with or without a port
            DNS_LISTEN      | node:0             | the port must be 1 to 65535
            DNS_LISTEN      | 10.0.0.1:65536     | the port must be 1 to 65535
            DNS_LISTEN      | 0.0.0.0            | must be one address of the node, or node for its own IPs
            DNS_LISTEN      | [::]:53            | must be one address of the node, or node for its own IPs
            DNS_LISTEN      | fe80::1            | is a link-local IPv6 address
            DNS_LISTEN      | 10.0.0.1,10.0.0.1:53 | "10.0.0.1:53" is there twice
            DNS_LISTEN      | ,                  | has no address; leave it out for no DNS server
            DNS_DOMAIN      | a..b               | must be a domain name like cluster.local
            DNS_DOMAIN      | .                  | must be a domain name like cluster.local
            DNS_UPSTREAM    | resolver.example   | must be addresses, each with or without a port, the path of a file
            DNS_UPSTREAM    | ,                  | has no address; to refuse questions about other names write none
            DNS_CLUSTER_IPS | 10.96.0.1,10.96.0.2 | must be one address or two of different IP families
            DNS_CLUSTER_IPS | 10.97.0.10         | 10.97.0.10 is not a cluster IP of --service-cluster-ip-range 10.96.0.0/16
            DNS_CLUSTER_IPS | x                  | IPv4 has four
            DNS_CLIENTS     | 10.0.0.1           | prefix length
            DNS_TTL         | 61m                | must be 0s to 1h, in whole seconds
            DNS_TTL         | 500ms              | must be 0s to 1h, in whole seconds
            """)
    void oneClearMessage(Key key, String value, String message) {
        Map<Key, String> flags =
                new EnumMap<>(Map.of(Key.DNS_LISTEN, "node", Key.SERVICE_CLUSTER_IP_RANGE, "10.96.0.0/16"));
        flags.put(key, value);
        assertThat(refused(flags))
                .singleElement()
                .asString()
                .startsWith("flag " + key.flag() + ": ")
                .contains(value, message);
    }

    @Test
    void aDomainLeavesRoomForItsNames() {
        String label = "a".repeat(63) + ".";
        assertThat(refused(Map.of(
                        Key.DNS_LISTEN,
                        "node",
                        Key.SERVICE_CLUSTER_IP_RANGE,
                        "10.96.0.0/16",
                        Key.DNS_DOMAIN,
                        label.repeat(3) + "a".repeat(52))))
                .singleElement()
                .asString()
                .startsWith("flag --dns-domain: ")
                .contains("must be a domain name like cluster.local: the domain is too long");
        assertThat(usable(Map.of(Key.DNS_LISTEN, "node", Key.DNS_DOMAIN, label.repeat(3) + "a".repeat(50))))
                .isPresent();
    }

    @Test
    void aSmallNetworkHasNoTenthAddress() {
        assertThat(refused(Map.of(Key.DNS_LISTEN, "node", Key.SERVICE_CLUSTER_IP_RANGE, "10.96.0.0/29")))
                .singleElement()
                .asString()
                .contains("the network 10.96.0.0/29 of --service-cluster-ip-range has no tenth address for DNS:"
                        + " give its address by --dns-cluster-ips");
        assertThat(usable(Map.of(
                                Key.DNS_LISTEN,
                                "node",
                                Key.SERVICE_CLUSTER_IP_RANGE,
                                "10.96.0.0/29",
                                Key.DNS_CLUSTER_IPS,
                                "10.96.0.2"))
                        .orElseThrow()
                        .clusterIps())
                .containsExactly(Ip.parse("10.96.0.2"));
    }

    @Test
    void aClusterHasItsOwnDns() {
        ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                Optional.empty(), Optional.empty(), Map.of(Key.KUBECONFIG, "/k", Key.DNS_LISTEN, "node")));
        assertThat(((ConfigResult.Refused) result).problems())
                .singleElement()
                .asString()
                .contains("--dns-listen", "has a meaning only with --standalone", "CoreDNS");
    }
}
