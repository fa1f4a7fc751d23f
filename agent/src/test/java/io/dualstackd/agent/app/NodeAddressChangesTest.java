package io.dualstackd.agent.app;

import static io.dualstackd.agent.app.RenumberedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.Lifetime;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of a node's interfaces, and what follows them: the ordered list, and node ports on the primary addresses in the kernel. */
@Tag("kernel")
final class NodeAddressChangesTest {
    @TempDir
    private Path folder;

    private RenumberedNode net(ProxyMode mode) throws Exception {
        return new RenumberedNode(folder, mode);
    }

    private RenumberedNode net() throws Exception {
        return net(ProxyMode.NFTABLES);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void interfaceThatAppearsAfterTheStartAndAnotherLease(ProxyMode mode) throws Exception {
        try (RenumberedNode net = net(mode)) {
            net.start("ipv4,ipv6");
            net.becomes();
            int eth0 = net.cable("eth0");
            Address lease = net.add(eth0, "10.0.0.7/24");
            net.route("10.0.0.254", 100);
            net.becomes("10.0.0.7");
            net.add(eth0, "fd00::7/64");
            net.becomes("10.0.0.7", "fd00::7");

            // As a DHCP client does it: the new address, then the old one away and with it its routes.
            net.node.delete(lease);
            net.add(eth0, "10.0.0.8/24");
            net.route("10.0.0.254", 100);
            net.becomes("10.0.0.8", "fd00::7");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void otherSettingsForADaemonThatRuns(ProxyMode mode) throws Exception {
        try (RenumberedNode net = net(mode)) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.7/24");
            net.add(eth0, "10.1.0.7/24");
            net.add(eth0, "fd00::7/64");
            net.start("10.0.0.7,fd00::7");
            net.becomes("10.0.0.7", "fd00::7");
            net.daemon().follow(net.settings(NodeIps.parse("ipv6,10.1.0.7"), NodePortAddresses.PRIMARY));
            net.becomes("fd00::7", "10.1.0.7");
            NodePortAddresses both = new NodePortAddresses.Within(List.of(IpPrefix.parse("10.0.0.0/15")));
            net.daemon().follow(net.settings(NodeIps.parse("ipv6,10.1.0.7"), both));
            eventually(() -> assertThat(net.nodePortAddresses(IpFamily.IPV4))
                    .containsExactly(Ip.parse("10.0.0.7"), Ip.parse("10.1.0.7")));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void renumberedNetwork(ProxyMode mode) throws Exception {
        try (RenumberedNode net = net(mode)) {
            int eth0 = net.cable("eth0");
            Address old = net.add(eth0, "fd00:1::1/64");
            net.route("fd00:1::ff", 100);
            net.start("ipv6,ipv4");
            net.becomes("fd00:1::1");
            net.add(eth0, "fd00:2::1/64");
            long changed = System.nanoTime();
            net.node.replace(old.with(Lifetime.of(0, 7200)));
            net.becomes("fd00:2::1");
            System.out.printf(
                    "address renumbered → node ports answer on the new one after %.0f ms (%s)%n",
                    (System.nanoTime() - changed) / 1e6, mode);
            net.node.delete(old);
            net.becomes("fd00:2::1");
            assertThat(net.logged())
                    .filteredOn(line -> line.startsWith("node addresses "))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("now=\"fd00:2::1\" was=\"fd00:1::1\"", "it is deprecated", "default route");
        }
    }

    /** A given address that is missing leaves the node without a choice. */
    @Test
    void dnsGoesOnInTheFamilyThatIsLeft() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "192.0.2.10/24");
            Address six = net.add(eth0, "2001:db8::10/64");
            DnsSettings dns = new DnsSettings(
                    List.of(new DnsSettings.Listen.NodeIps(53)),
                    DnsName.parse("cluster.local"),
                    new DnsSettings.Upstream.None(),
                    List.of(),
                    List.of(),
                    Duration.ofSeconds(5));
            DaemonSettings settings =
                    net.settings(NodeIps.parse("192.0.2.10,2001:db8::10"), NodePortAddresses.PRIMARY).toBuilder()
                            .dns(Optional.of(dns))
                            .build();
            try (Daemon daemon = Daemon.start(settings, status -> {})) {
                eventually(() ->
                        assertThat(receiving(daemon)).containsExactlyInAnyOrder("192.0.2.10:53", "[2001:db8::10]:53"));
                net.node.delete(six);
                eventually(() -> assertThat(receiving(daemon)).containsExactly("192.0.2.10:53"));
                assertThat(daemon.addresses().refused()).isPresent();
                assertThat(daemon.dns().orElseThrow().otherProblems())
                        .noneMatch(problem -> problem.contains("own IPs"));
                net.add(eth0, "2001:db8::10/64");
                eventually(() ->
                        assertThat(receiving(daemon)).containsExactlyInAnyOrder("192.0.2.10:53", "[2001:db8::10]:53"));
            }
        }
    }

    private static List<String> receiving(Daemon daemon) {
        return daemon.dns().orElseThrow().listeners().stream()
                .filter(listener -> listener.error().isEmpty())
                .map(DnsReport.Listener::address)
                .toList();
    }

    @Test
    void onlyOneLineForEachChange() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.route("10.0.0.254", 100);
            net.start("ipv4,ipv6");
            net.becomes("10.0.0.1");
            // Nothing of this changes what the node is known by.
            for (int i = 2; i < 20; i++) {
                net.add(eth0, "10.0.0." + i + "/24");
            }
            Route other = net.route("10.0.0.253", 200);
            net.node.delete(other);
            net.add(eth0, "fd00::1/64");
            net.becomes("10.0.0.1", "fd00::1");
            assertThat(net.logged()).hasSize(2);
            assertThat(net.logged().getFirst())
                    .contains(
                            "now=\"10.0.0.1\" was=\"none\"",
                            "eth0 has the IPv4 default route via 10.0.0.254, metric 100");
            assertThat(net.logged().getLast()).contains("now=\"10.0.0.1, fd00::1\" was=\"10.0.0.1\"", "fd00::1 (");
        }
    }

    @Test
    void flappingAddress() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.start("ipv4,ipv6");
            net.becomes("10.0.0.1");
            for (int i = 0; i < 300; i++) {
                net.node.delete(RenumberedNode.address(eth0, "10.0.0.1/24"));
                net.add(eth0, "10.0.0.1/24");
            }
            net.node.delete(RenumberedNode.address(eth0, "10.0.0.1/24"));
            net.add(eth0, "10.0.0.2/24");
            net.becomes("10.0.0.2");
        }
    }

    @Test
    void duplicateAndTentativeAddressesAreNeverChosen() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            net.neighbour.add(RenumberedNode.address(net.neighbour.indexOf("eth0"), "fd00::5/64"));
            net.start("ipv6,ipv4");
            net.node.add(RenumberedNode.address(eth0, "fd00::5/64").withFlags(0));
            // The kernel gives up an address after a second; one that it may keep is asked for behind it.
            eventually(() -> assertThat(net.commands.run("ip", "-6", "address", "show", "dev", "eth0"))
                    .contains("dadfailed"));
            net.node.add(RenumberedNode.address(eth0, "fd00::6/64").withFlags(0));
            net.becomes("fd00::6");
            assertThat(net.logged()).noneMatch(line -> line.contains("now=\"fd00::5"));
        }
    }

    @Test
    void twoDefaultRoutesChangePlaces() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            int eth1 = net.cable("eth1");
            net.add(eth0, "10.0.0.1/24");
            net.add(eth1, "10.1.0.1/24");
            Route first = net.route("10.0.0.254", 100);
            net.route("10.1.0.254", 200);
            net.start("ipv4,ipv6");
            net.becomes("10.0.0.1");
            net.route("10.0.0.254", 300);
            net.node.delete(first);
            net.becomes("10.1.0.1");
            assertThat(net.logged().getLast()).contains("eth1 has the IPv4 default route via 10.1.0.254, metric 200");
            net.node.add(
                    Route.dev(RenumberedNode.everywhere(IpFamily.IPV4), eth0).withPriority(50));
            net.becomes("10.0.0.1");
            assertThat(net.logged().getLast()).contains("eth0 has the IPv4 default route (on-link), metric 50");
        }
    }

    @Test
    void reportsMissingAddressesAndRecovers() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            Address only = net.add(eth0, "10.0.0.1/24");
            net.start("ipv4,ipv6");
            net.becomes("10.0.0.1");
            net.node.delete(only);
            net.becomes();
            assertThat(net.logged().getLast()).startsWith("node has no address now=\"none\" was=\"10.0.0.1\"");
            assertThat(net.daemon().statuses())
                    .allSatisfy(status -> assertThat(status.state()).isEqualTo(State.IN_FORCE));
            net.node.add(only);
            net.becomes("10.0.0.1");
        }
    }

    /** Without its default route every bridge looks as good as the uplink. */
    @Test
    void uplinkThatGoesDownKeepsItsAddress() throws Exception {
        try (RenumberedNode net = net()) {
            net.node.addBridge("br0");
            net.node.change("br0", new LinkChange.Up());
            net.add(net.node.indexOf("br0"), "10.244.0.1/24");
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.route("10.0.0.254", 100);
            net.start("ipv4");
            net.becomes("10.0.0.1");
            net.node.change("eth0", new LinkChange.Down());
            eventually(() -> assertThat(net.commands.run("ip", "route")).doesNotContain("default"));
            int lines = net.logged().size();
            // A change, so that the host is looked at for sure.
            net.add(net.node.indexOf("br0"), "fd00:244::1/64");
            eventually(
                    () -> assertThat(net.daemon().addresses().own(IpFamily.IPV6).all())
                            .contains(Ip.parse("fd00:244::1")));
            net.becomes("10.0.0.1");
            net.node.change("eth0", new LinkChange.Up());
            net.route("10.0.0.254", 200);
            net.becomes("10.0.0.1");
            assertThat(net.logged()).hasSize(lines);
        }
    }

    /** IPv6 addresses go with the link, IPv4 ones stay; of neither may node ports move to the bridge of the pods. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void uplinkThatGoesDownLendsNoFamilyAnotherAddress(ProxyMode mode) throws Exception {
        try (RenumberedNode net = net(mode)) {
            net.node.addBridge("br0");
            net.node.change("br0", new LinkChange.Up());
            net.add(net.node.indexOf("br0"), "10.244.0.1/24");
            net.add(net.node.indexOf("br0"), "fd00:244::1/64");
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.add(eth0, "fd00::1/64");
            net.route("10.0.0.254", 100);
            net.route("fd00::fe", 100);
            net.start("ipv4,ipv6");
            net.becomes("10.0.0.1", "fd00::1");

            net.node.change("eth0", new LinkChange.Down());
            eventually(() -> assertThat(reasons(net))
                    .containsExactly(
                            "kept from before: eth0, which has it, is down, and there is no default route now"));
            eventually(() -> {
                assertThat(net.nodePortAddresses(IpFamily.IPV4)).containsExactly(Ip.parse("10.0.0.1"));
                assertThat(net.nodePortAddresses(IpFamily.IPV6)).isEmpty();
            });
            assertThat(net.daemon().addresses().own(IpFamily.IPV6).nodeIp())
                    .as("restricts node ports to an address that is not there")
                    .hasValue(Ip.parse("fd00::1"));

            net.node.change("eth0", new LinkChange.Up());
            eventually(() -> assertThat(reasons(net))
                    .containsExactly("ipv4: eth0 had a default route before, and there is none now"));
            net.add(eth0, "fd00::1/64");
            net.becomes("10.0.0.1", "fd00::1");
            net.route("10.0.0.254", 200);
            eventually(() -> assertThat(reasons(net))
                    .first()
                    .asString()
                    .contains("eth0 has the IPv4 default route via 10.0.0.254, metric 200"));
            assertThat(net.logged()).noneMatch(line -> line.contains("now=\"10.0.0.1, fd00:244::1\""));
        }
    }

    /** The other family's uplink has an IPv4 address, too, which is not this node's. */
    @Test
    void aFamilyThatLosesItsRouteKeepsItsAddress() throws Exception {
        try (RenumberedNode net = net()) {
            net.add(net.cable("eth0"), "10.0.0.1/24");
            int eth1 = net.cable("eth1");
            net.add(eth1, "192.168.1.5/24");
            net.add(eth1, "fd00::1/64");
            net.route("10.0.0.254", 100);
            net.route("fd00::fe", 100);
            net.start("ipv4,ipv6");
            net.becomes("10.0.0.1", "fd00::1");

            net.commands.run("ip", "route", "del", "default");
            eventually(() -> assertThat(reasons(net))
                    .first()
                    .isEqualTo("kept from before: it is still on eth0, and there is no IPv4 default route now"));
            net.becomes("10.0.0.1", "fd00::1");
            net.route("10.0.0.254", 200);
            eventually(() -> assertThat(reasons(net))
                    .first()
                    .asString()
                    .contains("eth0 has the IPv4 default route via 10.0.0.254, metric 200"));
            assertThat(net.logged()).noneMatch(line -> line.contains("192.168.1.5"));
        }
    }

    /** One family that loses its address must not open the port on every address of both. */
    @Test
    void healthCheckNodePortNeverAnswersOnMoreAddresses() throws Exception {
        try (RenumberedNode net = net()) {
            net.put("checked.yaml", """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: checked, namespace: shop}
                    spec:
                      type: LoadBalancer
                      externalTrafficPolicy: Local
                      healthCheckNodePort: 32001
                      clusterIP: 10.96.0.11
                      clusterIPs: [10.96.0.11, "fd00:10:96::11"]
                      ipFamilies: [IPv4, IPv6]
                      ports: [{port: 80, nodePort: 30081}]
                    """);
            int eth0 = net.cable("eth0");
            Address four = net.add(eth0, "192.0.2.12/24");
            Address six = net.add(eth0, "fd00::1/64");
            net.start("ipv4,ipv6");
            net.becomes("192.0.2.12", "fd00::1");
            eventually(() -> assertThat(listeners(net)).containsExactly("192.0.2.12:32001", "[fd00::1]:32001"));
            net.node.delete(six);
            net.becomes("192.0.2.12");
            eventually(() -> assertThat(listeners(net)).containsExactly("192.0.2.12:32001"));
            net.node.delete(four);
            net.becomes();
            eventually(() -> assertThat(listeners(net)).isEmpty());
            net.node.add(six);
            net.becomes("fd00::1");
            eventually(() -> assertThat(listeners(net)).containsExactly("[fd00::1]:32001"));
        }
    }

    /** A requested family without an address is reported; one that was left out on purpose is not. */
    @ParameterizedTest
    @CsvSource({"'ipv4,ipv6',1", "ipv6,0"})
    void reportsNodePortsWithoutAddress(String wanted, int warnings) throws Exception {
        try (RenumberedNode net = net()) {
            net.add(net.cable("eth0"), "fd00::1/64");
            net.start(wanted);
            net.becomes("fd00::1");
            eventually(() -> assertThat(net.nodePortAddresses(IpFamily.IPV6)).containsExactly(Ip.parse("fd00::1")));
            eventually(() -> assertThat(net.daemon().statuses())
                    .allMatch(status -> status.state() == FamilyStatus.State.IN_FORCE));
            eventually(() -> assertThat(net.daemon().unansweredNodePorts())
                    .hasSize(warnings)
                    .allMatch(text ->
                            text.equals("IPv4: node ports of 1 Service have no address of this node to answer on")));
        }
    }

    private static List<String> listeners(RenumberedNode net) throws Exception {
        return net.commands
                .run("ss", "-Hltn")
                .lines()
                .map(line -> line.strip().split("\\s+", -1)[3])
                .filter(where -> where.endsWith(":32001"))
                .sorted()
                .toList();
    }

    private static List<String> reasons(RenumberedNode net) {
        return net.daemon().addresses().now().stream()
                .flatMap(addresses -> addresses.chosen().stream())
                .filter(chosen -> chosen.address().ip().isPresent())
                .map(NodeAddresses.Chosen::reason)
                .toList();
    }

    @Test
    void addressOfTheNodeObjectComesFirstAndGoesWithIt() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.add(eth0, "10.0.0.2/24");
            net.put("node.yaml", """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n.invalid}
                    status: {addresses: [{type: InternalIP, address: 10.0.0.2}]}
                    """);
            net.start("ipv4,ipv6");
            net.becomes("10.0.0.2");
            net.put("node.yaml", """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n.invalid}
                    """);
            net.becomes("10.0.0.1");
        }
    }

    @Test
    void chosenNetworksOfNodePortsFollow() throws Exception {
        try (RenumberedNode net = net()) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.add(eth0, "172.16.0.1/24");
            net.start(
                    NodeIps.DEFAULT,
                    new NodePortAddresses.Within(List.of(IpPrefix.parse("10.0.0.0/8"), IpPrefix.parse("fd00::/16"))));
            eventually(() -> assertThat(net.nodePortAddresses(IpFamily.IPV4)).containsExactly(Ip.parse("10.0.0.1")));
            net.add(eth0, "10.9.0.1/24");
            net.add(eth0, "fd00::9/64");
            eventually(() -> {
                assertThat(net.nodePortAddresses(IpFamily.IPV4))
                        .containsExactly(Ip.parse("10.0.0.1"), Ip.parse("10.9.0.1"));
                assertThat(net.nodePortAddresses(IpFamily.IPV6)).containsExactly(Ip.parse("fd00::9"));
            });
            net.node.delete(RenumberedNode.address(eth0, "10.0.0.1/24"));
            eventually(() -> assertThat(net.nodePortAddresses(IpFamily.IPV4)).containsExactly(Ip.parse("10.9.0.1")));
        }
    }

    /** Node ports restricted to an address are not open on others while the address is gone. */
    @Test
    void nodePortsOfAGivenAddressAreClosedWhileItIsGone() throws Exception {
        try (RenumberedNode net = net(ProxyMode.IPTABLES)) {
            int eth0 = net.cable("eth0");
            net.add(eth0, "10.0.0.1/24");
            net.start("10.0.0.5");
            assertThat(net.logged().getLast()).startsWith("node has no address").contains("10.0.0.5");
            assertThat(net.commands.saved("iptables-save"))
                    .doesNotContainPattern("-A KUBE-SERVICES .*-j KUBE-NODEPORTS");
            net.add(eth0, "10.0.0.5/24");
            net.becomes("10.0.0.5");
        }
    }
}
