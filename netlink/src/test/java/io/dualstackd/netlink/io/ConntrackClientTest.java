package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.conntrack.ConntrackEntry;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.conntrack.FlowTuple;
import io.dualstackd.netlink.io.ConntrackClient.Walk;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists and deletes connections of the running kernel in a namespace of its own; the {@code conntrack} tool is the reference. */
@Tag("kernel")
class ConntrackClientTest {
    private static final IpPort DNS = at("10.96.0.10", 53);
    private static final IpPort DNS6 = at("fd96::10", 53);
    private static final int TIMEOUT = 600;

    @Test
    void readsWhatTheToolMade() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns))) {
            new NetNsCommands(ns)
                    .run(("conntrack -I -p udp -s 10.0.0.1 -d 10.96.0.10 --sport 1000 --dport 53 --reply-src 10.1.0.5"
                                    + " --reply-dst 10.0.0.1 --reply-port-src 5353 --reply-port-dst 1000"
                                    + " --timeout 600 -w 7")
                            .split(" "));
            List<ConntrackEntry> entries = client.list(new FlowFilter.All(IpFamily.IPV4));
            assertThat(entries)
                    .hasToString(
                            "[udp 10.0.0.1:1000 -> 10.96.0.10:53, answers 10.1.0.5:5353 -> 10.0.0.1:1000, zone 7]");
            assertThat(entries.getFirst().timeout()).isBetween(1, TIMEOUT);
            assertThat(entries.getFirst().status() & ConntrackEntry.CONFIRMED).isNotZero();
            assertThat(client.list(new FlowFilter.All(IpFamily.IPV6))).isEmpty();
            assertThat(client.stats().entries()).isEqualTo(1);
            assertThat(client.stats().max()).isPositive();
        }
    }

    @Test
    void theKernelFilters() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns))) {
            for (IpPort dns : List.of(DNS, DNS6)) {
                IpPort sameIp = new IpPort(dns.ip(), 54);
                IpPort samePort = at(dns.equals(DNS) ? "10.96.0.11" : "fd96::11", 53);
                IpFamily family = dns.ip().family();
                List<ConntrackEntry> made = List.of(
                        flow(Proto.UDP, 1, dns),
                        flow(Proto.UDP, 2, sameIp),
                        flow(Proto.UDP, 3, samePort),
                        flow(Proto.SCTP, 1, dns));
                assertThat(client.add(made)).isEqualTo(4);
                assertThat(client.add(made)).isZero();
                assertThat(destinations(client, new FlowFilter.All(family))).hasSize(4);
                assertThat(destinations(client, new FlowFilter.OfProto(family, Proto.UDP)))
                        .containsExactlyInAnyOrder(dns, sameIp, samePort);
                assertThat(destinations(client, new FlowFilter.ToPort(family, Proto.UDP, 53)))
                        .containsExactlyInAnyOrder(dns, samePort);
                assertThat(destinations(client, new FlowFilter.To(Proto.UDP, dns)))
                        .containsExactlyInAnyOrderElementsOf(
                                family == IpFamily.IPV4 ? List.of(dns) : List.of(dns, samePort));
                assertThat(destinations(client, new FlowFilter.OfProto(family, Proto.TCP)))
                        .isEmpty();
            }
        }
    }

    @Test
    void theKernelListsTranslatedConnectionsOnly() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns))) {
            NetNsCommands commands = new NetNsCommands(ns);
            for (IpPort dns : List.of(DNS, DNS6)) {
                boolean v4 = dns.equals(DNS);
                IpPort endpoint = at(v4 ? "10.1.0.5" : "fd10::5", 5353);
                client.add(List.of(flow(Proto.UDP, 1, dns)));
                commands.run(("conntrack -I -p udp -s " + (v4 ? "10.0.0.1" : "fd00::1") + " --sport 2 -d " + dns.ip()
                                + " --dport 53 --dst-nat " + endpoint + " --timeout 600")
                        .split(" "));
                List<String> seen = new ArrayList<>();
                client.each(
                        new FlowFilter.Translated(dns.ip().family()),
                        flow -> seen.add(flow.protocol() + " " + flow.destination() + " " + flow.replySource()));
                assertThat(seen).containsExactly("udp " + dns + " " + endpoint);
                assertThat(client.list(new FlowFilter.All(dns.ip().family()))).hasSize(2);
            }
        }
    }

    @Test
    void deletesThisVeryConnection() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns))) {
            NetNsCommands commands = new NetNsCommands(ns);
            ConntrackEntry plain = flow(Proto.UDP, 1, DNS);
            ConntrackEntry inZone =
                    new ConntrackEntry(plain.original(), plain.reply(), 7, 0, plain.status(), TIMEOUT, List.of());
            client.add(List.of(plain, inZone, flow(Proto.UDP, 2, DNS), flow(Proto.UDP, 1, DNS6)));
            List<ConntrackEntry> found = client.list(new FlowFilter.All(IpFamily.IPV4));
            ConntrackEntry zoned = found.stream()
                    .filter(entry -> entry.zone() == 7)
                    .findFirst()
                    .orElseThrow();

            assertThat(client.delete(List.of(zoned))).isEqualTo(1);
            assertThat(client.delete(List.of(zoned))).as("gone already").isZero();
            assertThat(commands.run("conntrack", "-L", "-f", "ipv4")).doesNotContain("zone=7");

            ConntrackEntry older = found.stream()
                    .filter(entry ->
                            entry.zone() == 0 && entry.original().source().port() == 1)
                    .findFirst()
                    .orElseThrow();
            ConntrackEntry younger = new ConntrackEntry(
                    older.original(), older.reply(), 0, older.id() + 1, older.status(), TIMEOUT, List.of());
            assertThat(client.delete(List.of(younger))).as("another id").isZero();
            assertThat(client.delete(List.of(younger, older)))
                    .as("the first is not found, the second is")
                    .isEqualTo(1);
            assertThat(client.list(new FlowFilter.All(IpFamily.IPV4)))
                    .extracting(entry -> entry.original().source().port())
                    .containsExactly(2);
            assertThat(client.list(new FlowFilter.All(IpFamily.IPV6))).hasSize(1);
        }
    }

    @Test
    void walksOverMoreThanOneChunk() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns))) {
            List<ConntrackEntry> many = new ArrayList<>();
            for (int port = 1; port <= 5 * ConntrackClient.CHUNK + 3; port++) {
                many.add(flow(Proto.UDP, port, port % 2 == 0 ? DNS : at("10.96.0.11", 53)));
            }
            assertThat(client.add(many)).isEqualTo(many.size());
            Walk walk = client.deleteIf(
                    new FlowFilter.OfProto(IpFamily.IPV4, Proto.UDP),
                    flow -> flow.destination().equals(DNS));
            assertThat(walk).isEqualTo(new Walk(many.size(), many.size() / 2, true));
            assertThat(destinations(client, new FlowFilter.All(IpFamily.IPV4)))
                    .hasSize(many.size() - many.size() / 2)
                    .doesNotContain(DNS);
        }
    }

    private static List<IpPort> destinations(ConntrackClient client, FlowFilter filter) throws NetlinkException {
        return client.list(filter).stream()
                .map(entry -> entry.original().destination())
                .toList();
    }

    /** From a client's port to a destination, answered by a pod. */
    private static ConntrackEntry flow(Proto proto, int sourcePort, IpPort destination) {
        boolean v4 = destination.ip().family() == IpFamily.IPV4;
        IpPort client = at(v4 ? "10.0.0.1" : "fd00::1", sourcePort);
        IpPort pod = at(v4 ? "10.1.0.5" : "fd10::5", 5353);
        return ConntrackEntry.of(FlowTuple.of(proto, client, destination), FlowTuple.of(proto, pod, client), TIMEOUT);
    }

    private static IpPort at(String ip, int port) {
        return new IpPort(Ip.parse(ip), port);
    }
}
