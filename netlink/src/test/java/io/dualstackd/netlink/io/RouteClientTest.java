package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.LinkKind;
import io.dualstackd.netlink.route.MacAddress;
import io.dualstackd.netlink.route.OperState;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteChange;
import io.dualstackd.netlink.route.RouteType;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.netlink.wire.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against the running kernel, in two namespaces of its own, with {@code ip -j} as the reference. */
@Tag("kernel")
class RouteClientTest {
    private NetNs ns;
    private NetNs other;
    private RouteClient client;
    private RouteClient there;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        other = FreshNetNs.create();
        client = RouteClient.open(ns);
        there = RouteClient.open(other);
    }

    @AfterEach
    void close() {
        client.close();
        there.close();
        ns.close();
        other.close();
    }

    @Test
    void newNamespaceHoldsTheLoopback() throws Exception {
        assertThat(client.links()).singleElement().satisfies(lo -> {
            assertThat(lo.name()).isEqualTo("lo");
            assertThat(lo.isLoopback()).isTrue();
            assertThat(lo.isUp()).isFalse();
            assertThat(lo.kind()).isEqualTo(LinkKind.plain());
            assertThat(lo.mtu()).hasValue(65536);
        });
        client.change("lo", new LinkChange.Up());
        assertThat(client.addresses(IpFamily.IPV4)).extracting(Address::ip).containsExactly(Ip.parse("127.0.0.1"));
        assertThat(client.addresses(IpFamily.IPV6)).extracting(Address::ip).containsExactly(Ip.parse("::1"));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void marksThatRulesAskFor(IpFamily family) throws Exception {
        String option = family == IpFamily.IPV4 ? "-4" : "-6";
        NetNsCommands commands = new NetNsCommands(ns);
        assertThat(client.marksOfRules(family)).isZero();
        commands.run("ip", option, "rule", "add", "fwmark", "0x200/0xf00", "lookup", "100");
        commands.run("ip", option, "rule", "add", "fwmark", "0x4000/0x4000", "lookup", "main");
        assertThat(client.marksOfRules(family)).isEqualTo(0x4f00);
        commands.run("ip", option, "rule", "add", "fwmark", "7", "lookup", "100");
        assertThat(client.marksOfRules(family)).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void rulesThatAskWherePacketsComeFrom(IpFamily family) throws Exception {
        String option = family == IpFamily.IPV4 ? "-4" : "-6";
        String source = family == IpFamily.IPV4 ? "192.0.2.1" : "2001:db8::1";
        NetNsCommands commands = new NetNsCommands(ns);
        assertThat(client.rulesAskForSource(family)).isFalse();
        commands.run("ip", option, "rule", "add", "iif", "lo", "lookup", "100");
        commands.run("ip", option, "rule", "add", "to", source, "lookup", "100");
        assertThat(client.rulesAskForSource(family)).isFalse();
        commands.run("ip", option, "rule", "add", "from", source, "lookup", "100", "prio", "10");
        assertThat(client.rulesAskForSource(family)).isTrue();
        commands.run("ip", option, "rule", "del", "prio", "10");
        commands.run("ip", option, "rule", "add", "iif", "eth0", "lookup", "100");
        assertThat(client.rulesAskForSource(family)).isTrue();
    }

    @Test
    void vethPairAcrossNamespaces() throws Exception {
        client.addVeth("here", "there", other);
        try (RouteSubscription links = RouteSubscription.open(NetlinkSockets.of(ns), RouteSubscription.Topic.LINKS)) {
            client.change("here", new LinkChange.Up());
            there.change("there", new LinkChange.Up(), new LinkChange.Mtu(1400));
            awaitCarrier(links, "here");
        }

        Link near = client.link("here").orElseThrow();
        Link far = there.link("there").orElseThrow();
        assertThat(near.kind()).isInstanceOf(LinkKind.Veth.class);
        assertThat(near.state()).hasValue(OperState.UP);
        assertThat(near.lower()).hasValue(far.index());
        assertThat(far.mtu()).hasValue(1400);
        assertThat(client.link("there")).isEmpty();
        assertThat(IpTool.json(ns, "-d", "link", "show", "here"))
                .contains(
                        "\"info_kind\":\"veth\"",
                        "\"operstate\":\"UP\"",
                        "\"address\":\"" + near.mac().orElseThrow());
        assertThat(IpTool.json(other, "link", "show", "there")).contains("\"mtu\":1400");

        client.deleteLink(near.index());
        assertThat(there.link("there")).isEmpty();
    }

    /** The kernel leaves out the attribute of the other end then. */
    @Test
    void anAddressWhoseOtherEndIsUnspecified() throws Exception {
        client.addBridge("br0");
        new NetNsCommands(ns).run("ip", "address", "add", "10.9.0.1", "peer", "0.0.0.0", "dev", "br0");
        Address address = client.addresses(IpFamily.IPV4).getFirst();
        assertThat(address.ip()).isEqualTo(Ip.parse("10.9.0.1"));
        assertThat(address.peer()).contains(Ip.unspecified(IpFamily.IPV4));
        client.delete(address);
        assertThat(client.addresses(IpFamily.IPV4)).isEmpty();
        client.add(address);
        assertThat(client.addresses(IpFamily.IPV4)).extracting(Address::peer).containsExactly(address.peer());
    }

    @Test
    void bridgeTakesAPort() throws Exception {
        client.addBridge("br0");
        client.addVeth("port0", "pod0", other);
        int bridge = client.indexOf("br0");
        client.change("port0", new LinkChange.Master(bridge), new LinkChange.Up());
        client.change(bridge, new LinkChange.Up());

        assertThat(client.link("br0").orElseThrow().kind()).isInstanceOf(LinkKind.Bridge.class);
        assertThat(client.link("port0").orElseThrow().master()).hasValue(bridge);
        assertThat(IpTool.json(ns, "link", "show", "port0")).contains("\"master\":\"br0\"");

        client.change("port0", new LinkChange.Master(0));
        assertThat(client.link("port0").orElseThrow().master()).isEmpty();
    }

    @Test
    void linkIsRenamedReaddressedAndMoved() throws Exception {
        client.addVeth("a", "b");
        client.change(
                "a", new LinkChange.Rename("c"), new LinkChange.Mac(new MacAddress(Bytes.ofHex("02 00 00 00 00 07"))));
        assertThat(client.link("a")).isEmpty();
        assertThat(IpTool.json(ns, "link", "show", "c")).contains("\"address\":\"02:00:00:00:00:07\"");
        client.change("b", new LinkChange.MoveTo(other.fd().number()), new LinkChange.Rename("eth0"));
        assertThat(client.link("b")).isEmpty();
        assertThat(there.link("eth0")).isPresent();
    }

    @Test
    void addressesOfBothFamilies() throws Exception {
        client.addVeth("a", "b");
        client.change("a", new LinkChange.Up());
        client.change("b", new LinkChange.Up());
        int a = client.indexOf("a");
        Address four = Address.of(a, Ip.parse("10.1.0.1"), 24);
        Address six = Address.of(a, Ip.parse("fd00:1::1"), 64);
        client.add(four);
        client.add(six);

        assertThat(client.addresses(IpFamily.IPV4)).singleElement().satisfies(address -> {
            assertThat(address.ip()).isEqualTo(four.ip());
            assertThat(address.prefixLength()).isEqualTo(24);
            assertThat(address.link()).isEqualTo(a);
            assertThat(address.peer()).isEmpty();
            assertThat(address.is(Address.PERMANENT)).isTrue();
            assertThat(address.label()).isEqualTo("a");
        });
        assertThat(client.addresses(IpFamily.IPV6))
                .filteredOn(address -> address.ip().equals(six.ip()))
                .singleElement()
                .satisfies(address -> assertThat(address.is(Address.TENTATIVE)).isFalse());
        assertThat(IpTool.json(ns, "addr", "show", "a"))
                .contains("\"local\":\"10.1.0.1\",\"prefixlen\":24", "\"local\":\"fd00:1::1\",\"prefixlen\":64");

        client.delete(four);
        client.delete(six);
        assertThat(IpTool.json(ns, "addr", "show", "a")).doesNotContain("10.1.0.1", "fd00:1::1");
        assertThatExceptionOfType(NetlinkException.Refused.class)
                .isThrownBy(() -> client.delete(four))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL))
                .withMessageContaining("delete address 10.1.0.1/24")
                .withMessageContaining("kernel says \"");
    }

    @Test
    void pointToPointAddress() throws Exception {
        client.addVeth("a", "b");
        IpTool.run(ns, List.of("ip", "addr", "add", "10.9.0.1", "peer", "10.9.0.2/32", "dev", "a"));
        IpTool.run(ns, List.of("ip", "addr", "add", "fd00:9::1", "peer", "fd00:9::2/128", "dev", "a"));
        assertThat(client.addresses(IpFamily.IPV4)).singleElement().satisfies(address -> {
            assertThat(address.ip()).isEqualTo(Ip.parse("10.9.0.1"));
            assertThat(address.peer()).hasValue(Ip.parse("10.9.0.2"));
        });
        assertThat(client.addresses(IpFamily.IPV6)).singleElement().satisfies(address -> {
            assertThat(address.ip()).isEqualTo(Ip.parse("fd00:9::1"));
            assertThat(address.peer()).hasValue(Ip.parse("fd00:9::2"));
        });
        for (IpFamily family : IpFamily.values()) {
            client.delete(client.addresses(family).getFirst());
            assertThat(client.addresses(family)).isEmpty();
        }
    }

    @Test
    void looksUpRouteOfPacket() throws Exception {
        Sysctl.write(ns, "net/ipv4/ip_forward", "1");
        Sysctl.write(ns, "net/ipv6/conf/all/forwarding", "1");
        Sysctl.write(ns, "net/ipv4/conf/all/rp_filter", "0");
        client.addVeth("here", "there", other);
        there.change("there", new LinkChange.Up());
        client.change("here", new LinkChange.Up());
        int here = client.indexOf("here");
        Sysctl.write(ns, "net/ipv4/conf/here/rp_filter", "1");
        client.add(Address.of(here, Ip.parse("192.0.2.7"), 24));
        client.add(Address.of(here, Ip.parse("2001:db8::7"), 64));
        for (String[] hop : List.of(
                new String[] {"198.51.100.0/24", "198.51.100.9", "192.0.2.9", "192.0.2.7"},
                new String[] {"2001:db8:5::/48", "2001:db8:5::9", "2001:db8::9", "2001:db8::7"})) {
            Ip far = Ip.parse(hop[1]);
            assertThatExceptionOfType(NetlinkException.Refused.class)
                    .isThrownBy(() -> client.lookup(far, Optional.empty(), OptionalInt.empty()))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ENETUNREACH));
            client.add(Route.via(IpPrefix.parse(hop[0]), Ip.parse(hop[2])));
            Route way = client.lookup(far, Optional.of(Ip.parse(hop[2])), OptionalInt.of(here));
            assertThat(way.type()).isEqualTo(RouteType.UNICAST);
            assertThat(way.link()).hasValue(here);
            assertThat(way.gateway()).hasValue(Ip.parse(hop[2]));
            assertThat(typeOfOwn(Ip.parse(hop[3]))).isEqualTo(RouteType.LOCAL);
        }
        assertThatExceptionOfType(NetlinkException.Refused.class)
                .as("rp_filter: nothing leads back to that source")
                .isThrownBy(() -> client.lookup(
                        Ip.parse("198.51.100.9"), Optional.of(Ip.parse("203.0.113.1")), OptionalInt.of(here)));
    }

    /** Of the route to an address of the namespace. The kernel adds that of an IPv6 address a moment after the address. */
    private RouteType typeOfOwn(Ip own) throws NetlinkException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        RouteType type;
        do {
            type = client.lookup(own, Optional.empty(), OptionalInt.empty()).type();
        } while (!type.equals(RouteType.LOCAL) && System.nanoTime() - end < 0);
        return type;
    }

    @Test
    void routesOfBothFamilies() throws Exception {
        client.addVeth("a", "b", other);
        client.change("a", new LinkChange.Up());
        there.change("b", new LinkChange.Up());
        int a = client.indexOf("a");
        client.add(Address.of(a, Ip.parse("10.1.0.1"), 24));
        client.add(Address.of(a, Ip.parse("fd00:1::1"), 64));

        Route[] routes = {
            Route.via(IpPrefix.parse("0.0.0.0/0"), Ip.parse("10.1.0.2")),
            Route.via(IpPrefix.parse("::/0"), Ip.parse("fd00:1::2")),
            Route.dev(IpPrefix.parse("10.2.0.0/16"), a),
            Route.dev(IpPrefix.parse("fd00:2::/64"), a),
            Route.onLink(IpPrefix.parse("10.3.0.0/16"), Ip.parse("192.0.2.1"), a),
            Route.onLink(IpPrefix.parse("fd00:3::/64"), Ip.parse("2001:db8::1"), a),
        };
        for (Route route : routes) {
            client.add(route);
        }
        for (Route route : routes) {
            assertThat(client.routes(route.family()))
                    .filteredOn(found ->
                            found.table() == Route.MAIN && found.destination().equals(route.destination()))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.gateway()).isEqualTo(route.gateway());
                        assertThat(found.link()).hasValue(a);
                        assertThat(found.origin()).isEqualTo(route.origin());
                    });
        }
        assertThat(IpTool.json(ns, "-4", "route"))
                .contains(
                        "\"dst\":\"default\",\"gateway\":\"10.1.0.2\",\"dev\":\"a\"",
                        "\"dst\":\"10.2.0.0/16\",\"dev\":\"a\"",
                        "\"dst\":\"10.3.0.0/16\",\"gateway\":\"192.0.2.1\",\"dev\":\"a\"",
                        "onlink");
        assertThat(IpTool.json(ns, "-6", "route"))
                .contains(
                        "\"dst\":\"default\",\"gateway\":\"fd00:1::2\",\"dev\":\"a\"",
                        "\"dst\":\"fd00:2::/64\",\"dev\":\"a\"",
                        "\"dst\":\"fd00:3::/64\",\"gateway\":\"2001:db8::1\",\"dev\":\"a\"");

        client.replace(Route.via(IpPrefix.parse("0.0.0.0/0"), Ip.parse("10.1.0.3")));
        assertThat(IpTool.json(ns, "-4", "route"))
                .contains("\"gateway\":\"10.1.0.3\"")
                .doesNotContain("\"10.1.0.2\"");
        client.delete(Route.dev(IpPrefix.parse("10.2.0.0/16"), a));
        assertThat(IpTool.json(ns, "-4", "route")).doesNotContain("10.2.0.0/16");
    }

    @Test
    void refusalsCarryTheKernelsWords() throws Exception {
        client.addBridge("br0");
        assertThatExceptionOfType(NetlinkException.Refused.class)
                .isThrownBy(() -> client.addBridge("br0"))
                .withMessage("add link br0: EEXIST (17) File exists")
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EEXIST));
        assertThatExceptionOfType(NetlinkException.Refused.class)
                .isThrownBy(() -> client.add(Route.via(IpPrefix.parse("0.0.0.0/0"), Ip.parse("10.1.0.2"))))
                .withMessage("add route unicast 0.0.0.0/0 via 10.1.0.2 table 254 origin static scope global:"
                        + " ENETUNREACH (101) Network is unreachable,"
                        + " kernel says \"Nexthop has invalid gateway\"");
        assertThatExceptionOfType(NetlinkException.Refused.class)
                .isThrownBy(
                        () -> client.add(Link.of("x", new LinkKind.Other("no-such-kind", Optional.empty(), List.of()))))
                .withMessageContaining("Unknown device type");
        assertThatExceptionOfType(NetlinkException.Refused.class)
                .isThrownBy(() -> client.change("nowhere", new LinkChange.Up()))
                .withMessageContaining("ENODEV");
    }

    /** The kernel notices asynchronously that the other end is up. */
    private static void awaitCarrier(RouteSubscription links, String name) throws NetlinkException {
        while (links.next(Duration.ofMinutes(1)) instanceof Notification.Changes(var changes)) {
            for (RouteChange change : changes) {
                if (change instanceof RouteChange.LinkSeen(Link link)
                        && link.name().equals(name)
                        && link.state().equals(Optional.of(OperState.UP))) {
                    return;
                }
            }
        }
        throw new AssertionError(name + " never got a carrier");
    }
}
