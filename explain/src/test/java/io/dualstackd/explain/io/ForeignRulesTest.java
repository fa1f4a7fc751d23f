package io.dualstackd.explain.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.HostPath;
import io.dualstackd.explain.HostPath.Verdict;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules of other programs, judged by explain, and applied by the kernel to a real packet. */
@Tag("kernel")
final class ForeignRulesTest {
    private static final int MARK = 0x4000;
    private static final String WALL = """
            table %s wall {
              chain output { type filter hook output priority 0; policy accept; %s; }
            }
            """;

    private static final Packet SERVICE =
            new Packet(Ip.parse("10.0.0.1"), new Packet.Origin.ThisNode(), Ip.parse("10.96.0.10"), Proto.UDP, 80);
    private static final PacketFate FORWARDED = forwarded(false);

    private final NetNs ns = FreshNetNs.create();
    private final NetNsCommands commands = new NetNsCommands(ns);

    ForeignRulesTest() throws Exception {
        try (RouteClient host = RouteClient.open(ns)) {
            int lo = host.indexOf("lo");
            host.change(lo, new LinkChange.Up());
            for (String ip : List.of("10.0.0.1", "10.0.0.2")) {
                host.add(Address.of(lo, Ip.parse(ip), 32));
            }
            for (String ip : List.of("fd00::1", "fd00::2")) {
                host.add(Address.of(lo, Ip.parse(ip), 128));
            }
        }
    }

    private static PacketFate forwarded(boolean masqueraded) {
        return new PacketFate.Forwarded(
                new ServicePortName(new ServiceKey("demo", "dns"), "", Proto.UDP),
                new PacketFate.Reason("ClusterIP", "", !masqueraded, ""),
                List.of(new PacketFate.Hop(new Backend(new IpPort(Ip.parse("10.0.0.2"), 8080), true), masqueraded)));
    }

    @AfterEach
    void close() {
        ns.close();
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                // Ranges in a set without a name.
                Arguments.of("ip", "ip daddr { 10.0.0.0/24, 192.168.0.0/16 } drop", Verdict.DROPS),
                Arguments.of("ip", "ip daddr { 10.0.1.0/24, 192.168.0.0/16 } drop", Verdict.PASSES),
                Arguments.of("ip", "udp dport { 53, 8000-9000 } drop", Verdict.DROPS),
                Arguments.of("ip", "udp dport { 53, 8000-8079 } drop", Verdict.PASSES),
                Arguments.of("ip", "udp dport { 53, 8080-8080 } drop", Verdict.DROPS),
                Arguments.of("ip", "udp dport { 53, 9000-65535 } drop", Verdict.PASSES),
                Arguments.of("ip", "udp dport { 53, 8000-65535 } drop", Verdict.DROPS),
                Arguments.of("ip", "udp dport != { 53, 8000-9000 } drop", Verdict.PASSES),
                Arguments.of("ip", "udp dport != { 53, 9000-9100 } drop", Verdict.DROPS),
                Arguments.of("ip6", "ip6 daddr { fd00::/64, fe80::/10 } drop", Verdict.DROPS),
                Arguments.of("ip6", "ip6 daddr { fd01::/64, fe80::/10 } drop", Verdict.PASSES),
                Arguments.of("ip", "ip daddr vmap { 10.0.0.0/24 : drop, 10.0.1.0/24 : accept }", Verdict.DROPS),
                // The element for all other keys.
                Arguments.of("ip", "ip daddr vmap { 10.0.0.9 : accept, * : drop }", Verdict.DROPS),
                Arguments.of("ip", "ip daddr vmap { 10.0.0.2 : accept, * : drop }", Verdict.PASSES),
                Arguments.of("ip", "ip daddr vmap { 10.0.1.0/24 : accept, * : drop }", Verdict.DROPS),
                Arguments.of("ip", "ip daddr vmap { 10.0.0.0/24 : accept, * : drop }", Verdict.PASSES),
                // Ranges of each field.
                Arguments.of("ip", "ip daddr . udp dport { 10.0.0.0/24 . 8000-9000 } drop", Verdict.DROPS),
                Arguments.of("ip", "ip daddr . udp dport { 10.0.0.0/24 . 9000-9010 } drop", Verdict.PASSES),
                Arguments.of("ip", "ip daddr . udp dport { 10.0.1.0/24 . 8000-9000 } drop", Verdict.PASSES),
                // Neighbours in a header, which nft compares together.
                Arguments.of("ip", "ip saddr 10.0.0.1 ip daddr 10.0.0.2 drop", Verdict.DROPS),
                Arguments.of("ip", "ip saddr 10.0.0.9 ip daddr 10.0.0.2 drop", Verdict.PASSES),
                Arguments.of("ip6", "ip6 saddr fd00::1 ip6 daddr fd00::2 drop", Verdict.DROPS),
                Arguments.of("ip6", "ip6 saddr fd00::9 ip6 daddr fd00::2 drop", Verdict.PASSES),
                Arguments.of("ip", "udp sport 53 udp dport 9 drop", Verdict.PASSES),
                // What stays on this host leaves through lo.
                Arguments.of("ip", "oifname lo drop", Verdict.DROPS),
                Arguments.of("ip", "oifname != lo drop", Verdict.PASSES),
                Arguments.of("ip6", "oifname lo drop", Verdict.DROPS),
                Arguments.of("ip6", "oifname != lo drop", Verdict.PASSES),
                Arguments.of("inet", "ip daddr { 10.0.0.0/24, 192.168.0.0/16 } drop", Verdict.DROPS));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void areJudgedAsTheKernelAppliesThem(String family, String rule, Verdict verdict) throws Exception {
        commands.feed(WALL.formatted(family, rule), "nft", "-f", "-");
        IpFamily ip = family.equals("ip6") ? IpFamily.IPV6 : IpFamily.IPV4;
        assertThat(isSent(ip)).as("what the kernel does").isEqualTo(verdict == Verdict.PASSES);
        assertThat(path(ip).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    /** What a program behind a queue decides is not known. */
    @Test
    void aQueueOfIptablesMayDropIt() throws Exception {
        commands.run("iptables", "-A", "OUTPUT", "-j", "NFQUEUE", "--queue-num", "9");
        assertThat(path(IpFamily.IPV4).legs())
                .singleElement()
                .satisfies(leg -> assertThat(leg.findings())
                        .extracting(HostPath.Finding::toString)
                        .contains("ip filter OUTPUT (hook output, priority 0, policy accept): MAY DROP it,"
                                + " by the program behind queue 9; 1 rule was not evaluated"));
    }

    /** A packet that this node sends to itself meets the prerouting chains after it was translated. */
    @Test
    void whatComesBackThroughLoWasTranslatedBefore() throws Exception {
        commands.run("ip", "route", "add", "default", "dev", "lo");
        commands.feed("""
                table ip dualstackd {
                  chain output { type nat hook output priority -100; ip daddr 10.96.0.10 udp dport 80 dnat to 10.0.0.2:8080; }
                }
                table ip wall {
                  chain raw { type filter hook prerouting priority -300; policy accept; ip daddr 10.96.0.0/12 drop; }
                }
                """, "nft", "-f", "-");
        assertThat(arrivesAt("10.0.0.2", 8080)).as("what the kernel does").isTrue();
        assertThat(path(SERVICE, FORWARDED).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(Verdict.PASSES);

        commands.run("nft", "flush", "chain", "ip", "wall", "raw");
        commands.run("nft", "add", "rule", "ip", "wall", "raw", "udp", "dport", "8080", "drop");
        assertThat(path(SERVICE, FORWARDED).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(Verdict.DROPS);
    }

    /** The mark that a packet has when it is sent through {@code lo} is the one it comes back with. */
    @ParameterizedTest
    @CsvSource({"postrouting, 200, MAY_DROP", "prerouting, -5, MAY_DROP", "postrouting, 50, PASSES"})
    void aMarkStaysOnTheWayThroughLo(String hook, int priority, Verdict verdict) throws Exception {
        commands.feed(
                // As the rules of Services: what is marked is masqueraded, and not marked any more.
                "table ip dualstackd { chain post { type nat hook postrouting priority 100;"
                        + " meta mark and 0x4000 == 0x4000 meta mark set mark xor 0x4000 masquerade; }; }\n"
                        + "table ip wall { chain marks { type filter hook " + hook + " priority " + priority + "; "
                        + MARKS + "; };"
                        + " chain pre { type filter hook prerouting priority 0; udp dport 8080 meta mark and 0x4000"
                        + " == 0x4000 counter drop; }; }",
                "nft",
                "-f",
                "-");
        assertThat(isSent(IpFamily.IPV4)).isTrue();
        assertThat(commands.run("nft", "list", "chain", "ip", "wall", "pre"))
                .as("what the kernel does")
                .contains("counter packets " + (verdict == Verdict.PASSES ? 0 : 1) + " ");
        assertThat(path(IpFamily.IPV4).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    /** As NodeLocal DNSCache does it, which answers at the ClusterIP itself. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nft add rule ip wall raw ip daddr 10.96.0.10 udp dport 80 notrack                  | wall raw
            iptables -t raw -A OUTPUT -d 10.96.0.10 -p udp -m udp --dport 80 -j CT --notrack   | raw OUTPUT
            """)
    void aPacketThatIsNotTrackedIsNotTranslated(String command, String chain) throws Exception {
        try (RouteClient host = RouteClient.open(ns)) {
            host.add(Address.of(host.indexOf("lo"), Ip.parse("10.96.0.10"), 32));
        }
        commands.feed("""
                table ip dualstackd {
                  chain output { type nat hook output priority -100; ip daddr 10.96.0.10 udp dport 80 dnat to 10.0.0.2:8080; }
                }
                table ip wall {
                  chain raw { type filter hook output priority -300; policy accept; }
                }
                """, "nft", "-f", "-");
        assertThat(arrivesAt("10.0.0.2", 8080)).as("what the kernel does").isTrue();
        assertThat(path(SERVICE, FORWARDED).stops()).isFalse();
        commands.run(command.strip().split(" +", -1));
        assertThat(arrivesAt("10.96.0.10", 80)).as("what the kernel does").isTrue();
        HostPath path = path(SERVICE, FORWARDED);
        assertThat(path.stops()).isTrue();
        assertThat(path.legs())
                .singleElement()
                .satisfies(leg -> assertThat(leg.findings().getLast())
                        .hasToString("ip " + chain
                                + " (hook output, priority -300, policy accept): takes it PAST the rules of"
                                + " Services, by rule 1 of chain " + chain.split(" ", -1)[1] + " (notrack)"));
    }

    /** The bit of the mark that asks for masquerade may be set before the translation, or cleared after it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            false | iptables -t mangle -A OUTPUT -p udp -j MARK --set-xmark 0x4000/0x4000 | ip mangle OUTPUT (hook output, priority -150, policy accept)
            true  | iptables -t mangle -A POSTROUTING -j MARK --set-mark 0x1               | ip mangle POSTROUTING (hook postrouting, priority -150, policy accept)
            true  | iptables -A OUTPUT -j CONNMARK --restore-mark                          | ip filter OUTPUT (hook output, priority 0, policy accept)
            true  | nft add rule ip wall out meta mark set 1                               | ip wall out (hook output, priority 5, policy accept)
            """)
    void aRuleMayChangeTheMarkThatAsksForMasquerade(boolean masqueraded, String command, String chain)
            throws Exception {
        command("ip route add default dev lo");
        commands.feed(
                "table ip wall { chain out { type filter hook output priority 5; policy accept; }; }",
                "nft",
                "-f",
                "-");
        PacketFate fate = forwarded(masqueraded);
        assertThat(markChanges(fate)).isEmpty();
        commands.run(command.strip().split(" +", -1));
        assertThat(markChanges(fate))
                .singleElement()
                .asString()
                .startsWith(chain + ": MAY CHANGE the mark that asks for masquerade, by rule 1 of chain ");
    }

    private static final String MARKS = "meta mark set mark or 0x4000";

    /** The kernel puts a new chain before the others of equal priority, whatever table, tool or family it is of. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ip a   | ip a   | meta mark and 0x4000 == 0 drop      | false | DROPS
            ip a   | ip a   | meta mark and 0x4000 == 0x4000 drop | true  | PASSES
            inet a | inet a | meta mark and 0x4000 == 0 drop      | false | DROPS
            ip a   | ip b   | meta mark and 0x4000 == 0 drop      | false | MAY_DROP
            ip b   | inet a | meta mark and 0x4000 == 0 drop      | false | MAY_DROP
            inet a | ip b   | meta mark and 0x4000 == 0x4000 drop | true  | MAY_DROP
            """)
    void ofChainsWithEqualPriorityTheNewestComesFirst(
            String marking, String asking, String rule, boolean sent, Verdict verdict) throws Exception {
        for (String table : List.of("ip a", "ip b", "inet a")) {
            command("nft add table " + table);
        }
        for (String chain : List.of(marking + " older", asking + " newer")) {
            command("nft add chain " + chain + " { type filter hook output priority 0 ; }");
        }
        command("nft add rule " + marking + " older " + MARKS);
        command("nft add rule " + asking + " newer " + rule);
        assertThat(isSent(IpFamily.IPV4)).as("what the kernel does").isEqualTo(sent);
        assertThat(path(IpFamily.IPV4).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    /** Chains of iptables rank among the others by their age, too; the order among tables cannot be read from the kernel. */
    @ParameterizedTest
    @CsvSource({"iptables, true", "iptables, false", "iptables-legacy, true", "iptables-legacy, false"})
    void chainsOfIptablesRankByTheirAge(String tool, boolean older) throws Exception {
        String drops = tool + " -A OUTPUT -m mark --mark 0x4000/0x4000 -j DROP";
        if (older) {
            command(drops);
        }
        command("nft add table ip a");
        command("nft add chain ip a out { type filter hook output priority 0 ; }");
        command("nft add rule ip a out " + MARKS);
        if (!older) {
            command(drops);
        }
        assertThat(isSent(IpFamily.IPV4)).as("what the kernel does").isEqualTo(!older);
        HostPath path = path(IpFamily.IPV4);
        if (tool.equals("iptables")) {
            assertThat(path.mayDrop()).isTrue();
        } else {
            assertThat(path.notSeen()).contains("other rules in tables of iptables legacy (filter)");
        }
    }

    /** Before connection tracking a packet has the state invalid and no connection; {@code notrack} leaves it without one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ct state invalid drop                        |                            | DROPS
            ct state new drop                            |                            | PASSES
            ct state != new drop                         |                            | DROPS
            ct direction original drop                   |                            | PASSES
            accept                                       | ct state new drop          | DROPS
            accept                                       | ct direction original drop | DROPS
            udp dport 8080 notrack                       | ct state new drop          | PASSES
            udp dport 8080 notrack                       | ct state untracked drop    | DROPS
            udp dport 8080 notrack                       | ct direction original drop | PASSES
            limit rate 1000/second notrack               | ct state untracked drop    | MAY_DROP
            """)
    void theStateOfAPacketIsTheOneAtThisPlace(String raw, @Nullable String filter, Verdict verdict) throws Exception {
        commands.feed(
                "table ip wall { chain raw { type filter hook output priority -300; " + raw + "; };"
                        + " chain out { type filter hook output priority 0; " + (filter == null ? "accept" : filter)
                        + "; }; }",
                "nft",
                "-f",
                "-");
        assertThat(isSent(IpFamily.IPV4)).as("what the kernel does").isEqualTo(verdict == Verdict.PASSES);
        assertThat(path(IpFamily.IPV4).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            raw    | -m conntrack --ctstate INVALID     | DROPS
            raw    | -m conntrack --ctstate NEW         | PASSES
            raw    | -m conntrack ! --ctstate NEW       | DROPS
            filter | -m conntrack --ctstate NEW         | DROPS
            filter | -m conntrack ! --ctstate NEW       | PASSES
            filter | -m conntrack --ctdir ORIGINAL      | MAY_DROP
            """)
    void theStateOfAPacketForIptablesIsTheOneAtThisPlace(String table, String match, Verdict verdict) throws Exception {
        command("iptables -t " + table + " -A OUTPUT " + match + " -j DROP");
        assertThat(isSent(IpFamily.IPV4)).as("what the kernel does").isEqualTo(verdict == Verdict.PASSES);
        assertThat(path(IpFamily.IPV4).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    private static final String OF_SERVICES = """
            table ip dualstackd {
              chain nat-output { type nat hook output priority -100; ip daddr 10.96.0.10 udp dport 80 dnat to 10.0.0.2:8080; }
            }
            """;

    /** Chains of type nat are left once one has translated the packet. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -110 | true  | dnat to 10.0.0.1:9090 | 10.0.0.1:9090 | TRANSLATES
            -90  | true  | dnat to 10.0.0.1:9090 | 10.0.0.2:8080 | PASSES
            -100 | true  | dnat to 10.0.0.1:9090 | 10.0.0.2:8080 | MAY_TRANSLATE
            -100 | false | dnat to 10.0.0.1:9090 | 10.0.0.1:9090 | MAY_TRANSLATE
            -110 | true  | accept                | 10.0.0.2:8080 | PASSES
            -110 | true  | return                | 10.0.0.2:8080 | PASSES
            -110 | true  | drop                  |               | DROPS
            -90  | true  | drop                  | 10.0.0.2:8080 | PASSES
            -100 | true  | drop                  | 10.0.0.2:8080 | MAY_DROP
            -100 | false | drop                  |               | MAY_DROP
            """)
    void anotherChainOfTypeNatIsJudged(int priority, boolean older, String statement, String to, Verdict verdict)
            throws Exception {
        command("ip route add default dev lo");
        String chain = "table ip wall { chain out { type nat hook output priority " + priority
                + "; ip daddr 10.96.0.10 udp dport 80 " + statement + "; }; }";
        commands.feed(older ? chain : OF_SERVICES, "nft", "-f", "-");
        commands.feed(older ? OF_SERVICES : chain, "nft", "-f", "-");
        arrives(to);
        assertThat(path(SERVICE, FORWARDED).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    /** The route was asked for without the marks of others. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fwmark 0x200/0x200 | type route hook output priority -150   | meta mark set 0x200                         | true
            fwmark 0x200       | type route hook output priority -150   | meta mark set mark or 0x1000                | true
            fwmark 0x200/0x200 | type route hook output priority -150   | meta mark set mark or 0x1000                | false
            fwmark 0x200/0x200 | type route hook output priority -150   | tcp dport 80 meta mark set 0x200            | false
            fwmark 0x200/0x200 | type route hook output priority -150   | limit rate 1/minute meta mark set 0x200     | true
            to 192.0.2.0/24    | type route hook output priority -150   | meta mark set 0x200                         | false
            fwmark 0x200/0x200 | type filter hook output priority 0     | meta mark set 0x200                         | false
            fwmark 0x200/0x200 | type filter hook output priority -200  | meta mark set 0x200                         | true
            fwmark 0x200/0x200 | type nat hook output priority -110     | meta mark set 0x200                         | true
            """)
    void marksThatDecideOnTheRouteAreMentioned(String asks, String hook, String statement, boolean mentioned)
            throws Exception {
        command("ip route add default dev lo");
        command("ip rule add " + asks + " lookup 100");
        commands.feed("table inet wall { chain out { " + hook + "; " + statement + "; }; }", "nft", "-f", "-");
        assertThat(path(SERVICE, FORWARDED).notSeen())
                .filteredOn(line -> line.contains("which a policy routing rule asks for"))
                .isEqualTo(
                        mentioned
                                ? List.of("the route of a packet whose mark is changed by rule 1 of chain out"
                                        + " (inet wall), which a policy routing rule asks for")
                                : List.of());
    }

    /** In iptables mode rules of others are in the same chain, before the jump to those of Services or behind it. */
    @ParameterizedTest
    @CsvSource({"-I, 10.0.0.1:9090, TRANSLATES", "-A, 10.0.0.2:8080, PASSES"})
    void rulesAroundTheJumpOfIptablesAreJudged(String place, String to, Verdict verdict) throws Exception {
        command("ip route add default dev lo");
        command("iptables -t nat -N KUBE-SERVICES");
        command("iptables -t nat -A KUBE-SERVICES -d 10.96.0.10 -p udp -m udp --dport 80 -j DNAT --to 10.0.0.2:8080");
        command("iptables -t nat -A OUTPUT -j KUBE-SERVICES");
        command("iptables -t nat " + place
                + " OUTPUT -d 10.96.0.0/12 -p udp -m udp --dport 80 -j DNAT --to 10.0.0.1:9090");
        arrives(to);
        HostPath path = path(SERVICE, FORWARDED);
        assertThat(path.legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
        assertThat(path.stops()).isEqualTo(verdict == Verdict.TRANSLATES);
    }

    @ParameterizedTest
    @CsvSource({"-I, 10.96.0.10:80, BYPASSES", "-A, 10.0.0.2:8080, PASSES"})
    void aRuleBeforeTheJumpOfIptablesMayAcceptThePacket(String place, String to, Verdict verdict) throws Exception {
        command("ip address add 10.96.0.10/32 dev lo");
        command("iptables -t nat -N KUBE-SERVICES");
        command("iptables -t nat -A KUBE-SERVICES -d 10.96.0.10 -p udp -m udp --dport 80 -j DNAT --to 10.0.0.2:8080");
        command("iptables -t nat -A OUTPUT -j KUBE-SERVICES");
        command("iptables -t nat " + place + " OUTPUT -d 10.96.0.10 -j ACCEPT");
        arrives(to);
        assertThat(path(SERVICE, FORWARDED).legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    @Test
    void aRuleBeforeTheMasqueradeOfIptablesMayAcceptThePacket() throws Exception {
        command("ip route add default dev lo");
        command("iptables -t nat -N KUBE-SERVICES");
        command("iptables -t nat -A KUBE-SERVICES -d 10.96.0.10 -p udp -m udp --dport 80 -j DNAT --to 10.0.0.2:8080");
        command("iptables -t nat -A OUTPUT -j KUBE-SERVICES");
        command("iptables -t nat -N KUBE-POSTROUTING");
        command("iptables -t nat -A KUBE-POSTROUTING -j SNAT --to 10.0.0.2");
        command("iptables -t nat -A POSTROUTING -j KUBE-POSTROUTING");
        assertThat(source("10.96.0.10", 80, "10.0.0.2", 8080))
                .as("what the kernel does")
                .isEqualTo("10.0.0.2");
        assertThat(words(path(SERVICE, forwarded(true)))).noneMatch(finding -> finding.contains("source"));
        command("iptables -t nat -I POSTROUTING -s 10.0.0.1 -j RETURN");
        assertThat(source("10.96.0.10", 80, "10.0.0.2", 8080))
                .as("what the kernel does")
                .isEqualTo("10.0.0.1");
        assertThat(words(path(SERVICE, forwarded(true))))
                .contains("ip nat POSTROUTING (hook postrouting, priority 100, policy accept): KEEPS its source,"
                        + " by a rule before the jump to KUBE-POSTROUTING");
    }

    /** A packet of no Service may be translated, too, and the source of one that Services do not masquerade. */
    @Test
    void otherTranslationsAreMentioned() throws Exception {
        command("ip route add default dev lo");
        commands.feed(OF_SERVICES, "nft", "-f", "-");
        commands.feed("""
                table ip wall {
                  chain out { type nat hook output priority 7; udp dport 8080 dnat to 10.0.0.1:9090; }
                  chain post { type nat hook postrouting priority 100; udp dport 8080 snat to 10.0.0.2; }
                }
                """, "nft", "-f", "-");
        assertThat(source("10.96.0.10", 80, "10.0.0.2", 8080))
                .as("what the kernel does")
                .isEqualTo("10.0.0.2");
        assertThat(words(path(SERVICE, FORWARDED)))
                .contains("ip wall post (hook postrouting, priority 100, policy accept): TRANSLATES its source,"
                        + " by rule 1 of chain post");
        assertThat(words(path(SERVICE, forwarded(true)))).noneMatch(finding -> finding.contains("TRANSLATES"));

        assertThat(source("10.0.0.2", 8080, "10.0.0.1", 9090))
                .as("what the kernel does")
                .isEqualTo("10.0.0.1");
        HostPath other = path(IpFamily.IPV4);
        assertThat(words(other))
                .last()
                .isEqualTo("ip wall out (hook output, priority 7, policy accept): TRANSLATES its destination,"
                        + " by rule 1 of chain out");
        assertThat(other.notSeen()).contains("where it goes after it is translated by rule 1 of chain out");
        assertThat(other.stops()).isFalse();
    }

    private static List<String> words(HostPath path) {
        return path.legs().stream()
                .flatMap(leg -> leg.findings().stream())
                .map(HostPath.Finding::toString)
                .toList();
    }

    /** @param to where a packet to the Service arrives; null where it is dropped */
    private void arrives(@Nullable String to) throws Exception {
        if (to == null) {
            assertThat(isSent("10.0.0.1", "10.96.0.10", 80))
                    .as("what the kernel does")
                    .isFalse();
        } else {
            String[] parts = to.split(":", -1);
            assertThat(arrivesAt(parts[0], Integer.parseInt(parts[1])))
                    .as("what the kernel does")
                    .isTrue();
        }
    }

    /** All chains of type nat are one hook, as old as the first of them. */
    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void aChainAtThePriorityOfTheTranslationMayComeBeforeIt(boolean older, boolean sent) throws Exception {
        String chain =
                "table ip wall { chain out { type filter hook output priority -100; ip daddr 10.96.0.10 drop; }; }";
        if (older) {
            commands.feed(chain, "nft", "-f", "-");
        }
        command("ip route add default dev lo");
        commands.feed("""
                table ip dualstackd {
                  chain output { type nat hook output priority -100; ip daddr 10.96.0.10 udp dport 80 dnat to 10.0.0.2:8080; }
                }
                """, "nft", "-f", "-");
        if (!older) {
            commands.feed(chain, "nft", "-f", "-");
        }
        assertThat(isSent("10.0.0.1", "10.96.0.10", 80))
                .as("what the kernel does")
                .isEqualTo(sent);
        assertThat(path(SERVICE, FORWARDED).legs())
                .singleElement()
                .satisfies(leg -> assertThat(leg.findings())
                        .extracting(HostPath.Finding::toString)
                        .contains("ip wall out (hook output, priority -100, policy accept): MAY DROP it, by rule 1 of"
                                + " chain out, which may see the packet before its destination is translated"));
    }

    private void command(String words) throws Exception {
        commands.run(words.strip().split(" +", -1));
    }

    private List<HostPath.Finding> markChanges(PacketFate fate) {
        return path(SERVICE, fate).legs().stream()
                .flatMap(leg -> leg.findings().stream())
                .filter(finding -> finding.words().contains("masquerade"))
                .toList();
    }

    private boolean arrivesAt(String address, int port) throws Exception {
        return !source("10.96.0.10", 80, address, port).isEmpty();
    }

    /** The source of a packet when it arrives. */
    private String source(String to, int toPort, String address, int port) throws Exception {
        return ns.call(() -> {
            try (DatagramSocket server = new DatagramSocket(new InetSocketAddress(address, port));
                    DatagramSocket client = new DatagramSocket(new InetSocketAddress("10.0.0.1", 0))) {
                server.setSoTimeout(60_000);
                client.send(new DatagramPacket(new byte[] {7}, 1, new InetSocketAddress(to, toPort)));
                DatagramPacket packet = new DatagramPacket(new byte[1], 1);
                server.receive(packet);
                assertThat(packet.getData()[0]).isEqualTo((byte) 7);
                return packet.getAddress().getHostAddress();
            }
        });
    }

    private HostPath path(IpFamily family) {
        boolean six = family == IpFamily.IPV6;
        Packet packet = new Packet(
                Ip.parse(six ? "fd00::1" : "10.0.0.1"),
                new Packet.Origin.ThisNode(),
                Ip.parse(six ? "fd00::2" : "10.0.0.2"),
                Proto.UDP,
                8080);
        return path(packet, PacketFate.NOT_OURS);
    }

    private HostPath path(Packet packet, PacketFate fate) {
        return HostPathTracer.trace(ns, ProxyMode.IPTABLES, packet, fate, MARK).orElseThrow();
    }

    /** The kernel reports to the sender that a rule of hook output dropped the packet. */
    private boolean isSent(IpFamily family) throws Exception {
        return family == IpFamily.IPV6 ? isSent("fd00::1", "fd00::2", 8080) : isSent("10.0.0.1", "10.0.0.2", 8080);
    }

    private boolean isSent(String from, String to, int port) throws Exception {
        return ns.call(() -> {
            try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(from, 0))) {
                socket.send(new DatagramPacket(new byte[1], 1, new InetSocketAddress(to, port)));
                return true;
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("not permitted");
                return false;
            }
        });
    }
}
