package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command on a host of its own. */
@Tag("kernel")
final class AddressesCommandTest {
    private static final Actions NONE = new Actions() {
        @Override
        public ExitCode run(Launch launch) {
            throw new AssertionError("run");
        }

        @Override
        public ExitCode initialize(Launch launch) {
            throw new AssertionError("cleanup");
        }

        @Override
        public ExitCode cleanup(Cleanup options, PrintStream to) {
            throw new AssertionError("cleanup");
        }

        @Override
        public ExitCode demo(Demo options, PrintStream to) {
            throw new AssertionError("demo");
        }
    };

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private NetNs ns;

    @BeforeEach
    void host() throws Exception {
        ns = FreshNetNs.create();
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.addVeth("eth0", "router");
            routes.addBridge("br0");
            for (String link : new String[] {"lo", "eth0", "router", "br0"}) {
                routes.change(link, new LinkChange.Up());
            }
            int eth0 = routes.indexOf("eth0");
            routes.add(Address.of(eth0, Ip.parse("192.0.2.7"), 24));
            routes.add(Address.of(eth0, Ip.parse("2001:db8::7"), 64));
            routes.add(Address.of(routes.indexOf("br0"), Ip.parse("172.17.0.1"), 16));
            routes.add(Route.via(new IpPrefix(Ip.unspecified(IpFamily.IPV4), 0), Ip.parse("192.0.2.1")));
        }
    }

    @AfterEach
    void away() {
        ns.close();
    }

    private int addresses(String... arguments) throws Exception {
        String[] all = Stream.concat(
                        Stream.of("addresses", "--hostname-override", "Node.invalid"), Stream.of(arguments))
                .toArray(String[]::new);
        out.reset();
        err.reset();
        try (PrintStream o = new PrintStream(out, true, StandardCharsets.UTF_8);
                PrintStream e = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            return ns.call(() -> CommandLines.execute(NONE, "1.2.3", o, e, all));
        }
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void bothFamiliesWithReasons() throws Exception {
        assertThat(addresses()).isZero();
        assertThat(out()).isEqualTo("""
                ADDRESS        TYPE         NODE IP     WHY
                192.0.2.7      InternalIP   primary     ipv4: eth0 has the IPv4 default route via 192.0.2.1, metric 0
                2001:db8::7    InternalIP   secondary   ipv6: eth0 has the IPv4 default route via 192.0.2.1, metric 0; IPv6 has none that helps
                node.invalid   Hostname     -           the host's name
                """);
        assertThat(err()).isEmpty();
    }

    @Test
    void explained() throws Exception {
        assertThat(addresses("--node-ips", "ipv6", "--explain")).isZero();
        assertThat(out())
                .startsWith("ADDRESS")
                .contains("\n\nPASSED OVER ")
                .containsPattern("172\\.17\\.0\\.1 on br0 +\"ipv6\" leaves no room for IPv4\n");
        assertThat(addresses("--node-ips=ipv4", "--explain")).isZero();
        assertThat(out()).containsPattern("172\\.17\\.0\\.1 on br0 +its interface has no default route\n");
    }

    @Test
    void forPrograms() throws Exception {
        assertThat(addresses("--node-ips", "172.17.0.1,ipv6", "-o", "yaml")).isZero();
        assertThat(out()).isEqualTo("""
                nodeIPs: "172.17.0.1,ipv6"
                primary: 172.17.0.1
                secondary: 2001:db8::7
                addresses:
                - type: InternalIP
                  address: 172.17.0.1
                  family: IPv4
                  nodeIP: primary
                  reason: "172.17.0.1: given"
                - type: InternalIP
                  address: 2001:db8::7
                  family: IPv6
                  nodeIP: secondary
                  reason: "ipv6: eth0 has the IPv4 default route via 192.0.2.1, metric 0; IPv6 has none that helps"
                - type: Hostname
                  address: node.invalid
                  reason: "the host's name"
                warnings: []
                """);
        assertThat(addresses("-o", "json", "--node-ips", "interface:br0", "--explain"))
                .isZero();
        assertThat(out())
                .contains("\"primary\" : \"172.17.0.1\"")
                .contains("\"candidate\" : \"2001:db8::7 on eth0\"")
                .contains("\"reason\" : \"it is not on br0\"");
    }

    @Test
    void anAddressOfAnotherHost() throws Exception {
        assertThat(addresses("--node-ips", "192.0.2.8")).isEqualTo(1);
        assertThat(out()).isEmpty();
        assertThat(err())
                .isEqualTo(
                        "dualstackd: failed to validate nodeIP: node IP: \"192.0.2.8\" not found in the host's network"
                                + " interfaces; it has 192.0.2.7 on eth0, 172.17.0.1 on br0, 2001:db8::7 on eth0 ('--explain' shows why"
                                + " these were not chosen): give another --node-ips, or give the host the address\n");
    }

    @Test
    void noAddressOfTheFamily() throws Exception {
        assertThat(addresses("--node-ips", "fd00::/8", "-o", "json")).isEqualTo(1);
        assertThat(out())
                .contains("\"error\" : \"node IPs \\\"fd00::/8\\\": this host has no such address; it has 2001:db8::7");
        assertThat(err()).startsWith("dualstackd: node IPs \"fd00::/8\": this host has no such address");
    }

    @Test
    void aHostWithNothing() throws Exception {
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.deleteLink(routes.indexOf("eth0"));
            routes.deleteLink(routes.indexOf("br0"));
        }
        assertThat(addresses()).isEqualTo(1);
        assertThat(err())
                .isEqualTo("dualstackd: node IPs \"ipv4,ipv6\": this host has no such address; it has only loopback"
                        + " and link-local addresses: is its network set up?\n");
    }

    @Test
    void kubeletsFlagIsTranslated() throws Exception {
        assertThat(addresses("--node-ip", "::")).isZero();
        assertThat(out()).contains("2001:db8::7").doesNotContain("192.0.2.7 ");
        assertThat(err()).isEqualTo("dualstackd: warning: --node-ip is deprecated; write --node-ips ipv6\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--node-ips=ipv5 | node IPs \"ipv5\": an element is an address, ipv4, ipv6",
                "--node-ips=ipv4, | an element is empty",
                "--node-ips=ipv4 --node-ip=1.2.3.4 | are both given",
                "--node-ip=1.2.3.4,5.6.7.8 | either a single IP or a dual-stack pair of IPs",
                "--output=xml | must be table, json or yaml",
                "--explian | Did you mean --explain?",
            })
    void badArguments(String arguments, String message) throws Exception {
        assertThat(addresses(arguments.split(" "))).isEqualTo(2);
        assertThat(out()).isEmpty();
        assertThat(err()).contains(message).contains("Try 'dualstackd addresses --help'");
    }
}
