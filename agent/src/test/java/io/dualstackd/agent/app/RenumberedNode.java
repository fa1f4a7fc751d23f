package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A node whose addresses change while a daemon runs, and the rules it then has. */
final class RenumberedNode implements AutoCloseable {
    static final String NAME = "n.invalid";
    private static final Pattern ELEMENTS = Pattern.compile("elements = \\{([^}]*)}");
    private static final Pattern TO_NODE_PORTS = Pattern.compile("-A KUBE-SERVICES -d (\\S+)/\\d+ .*-j KUBE-NODEPORTS");
    private static final Logger SAID = Logger.getLogger("addresses");

    final NetNs ns = FreshNetNs.create();
    final NetNs outside = FreshNetNs.create();
    final RouteClient node = RouteClient.open(ns);
    final RouteClient neighbour = RouteClient.open(outside);
    final NetNsCommands commands = new NetNsCommands(ns);
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final Path folder;
    private final ProxyMode mode;
    private IptablesVariant variant = IptablesVariant.NF_TABLES;
    private boolean endpointCounters;
    private final Handler ear = new Ear();
    private Optional<Daemon> daemon = Optional.empty();

    RenumberedNode(Path folder, ProxyMode mode) throws Exception {
        this.folder = folder;
        this.mode = mode;
        SAID.addHandler(ear);
        node.change("lo", new LinkChange.Up());
        put("web.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: shop}
                spec:
                  type: NodePort
                  clusterIP: 10.96.0.10
                  clusterIPs: [10.96.0.10, "fd00:10:96::10"]
                  ipFamilyPolicy: RequireDualStack
                  ipFamilies: [IPv4, IPv6]
                  ports: [{port: 80, nodePort: 30080}]
                """);
    }

    /** Where iptables rules are kept, unless in nf_tables; to be set before the start. */
    void keepsRulesIn(IptablesVariant place) {
        variant = place;
    }

    /** Has the kernel count the connections of each endpoint; to be said before the start. */
    void countsEndpoints(boolean each) {
        endpointCounters = each;
    }

    void put(String file, String text) throws Exception {
        Files.writeString(folder.resolve(file), text);
    }

    void start(String nodeIps) throws Exception {
        start(NodeIps.parse(nodeIps), NodePortAddresses.PRIMARY);
    }

    void start(NodeIps wanted, NodePortAddresses nodePorts) throws Exception {
        Daemon started = Daemon.start(settings(wanted, nodePorts), status -> {});
        daemon = Optional.of(started);
        eventually(() -> assertThat(started.statuses())
                .allSatisfy(status -> assertThat(status.state()).isEqualTo(State.IN_FORCE)));
    }

    DaemonSettings settings(NodeIps wanted, NodePortAddresses nodePorts) {
        NodeSettings node = NodeSettingsBuilder.node(NAME)
                .ips(wanted)
                .nodePortsOn(nodePorts)
                .settings();
        return DaemonSettingsBuilder.daemon(mode, new SourceSettings.Folder(folder.toString()), ns, node)
                .settings()
                .toBuilder()
                .variant(variant)
                .endpointCounters(endpointCounters)
                .build();
    }

    Daemon daemon() {
        return daemon.orElseThrow();
    }

    static void eventually(org.awaitility.core.ThrowingRunnable holds) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(holds);
    }

    /** Waits until exactly these are the node's, in this order, and the kernel's node ports listen to them. */
    void becomes(String... ips) {
        List<Ip> expected = Stream.of(ips).map(Ip::parse).toList();
        eventually(() -> {
            assertThat(daemon().addresses().now().map(NodeAddresses::nodeIps).orElse(List.of()))
                    .isEqualTo(expected);
            for (IpFamily family : IpFamily.values()) {
                assertThat(nodePortAddresses(family))
                        .isEqualTo(expected.stream()
                                .filter(ip -> ip.family() == family)
                                .toList());
            }
        });
    }

    /** Those that node ports answer on; none when they answer on all. */
    List<Ip> nodePortAddresses(IpFamily family) throws Exception {
        List<Ip> found = new ArrayList<>();
        switch (mode) {
            case NFTABLES -> {
                String table = family == IpFamily.IPV4 ? "ip" : "ip6";
                Matcher elements = ELEMENTS.matcher(
                        commands.run("nft", "list", "set", table, "dualstackd", "node-port-addresses"));
                if (elements.find()) {
                    Stream.of(elements.group(1).split(",", -1))
                            .map(String::strip)
                            .map(Ip::parse)
                            .forEach(found::add);
                }
            }
            case IPVS -> throw new IllegalArgumentException("the kernel of this test need not have IPVS");
            case IPTABLES -> {
                Matcher rules = TO_NODE_PORTS.matcher(
                        commands.saved(family == IpFamily.IPV4 ? "iptables-save" : "ip6tables-save"));
                while (rules.find()) {
                    found.add(Ip.parse(rules.group(1)));
                }
            }
        }
        return found.stream().sorted().toList();
    }

    /** Log lines about addresses since the start. */
    List<String> logged() {
        return List.copyOf(lines);
    }

    /** A cable to the neighbour, up on both ends. */
    int cable(String name) throws Exception {
        node.addVeth(name, name, outside);
        neighbour.change(name, new LinkChange.Up());
        node.change(name, new LinkChange.Up());
        return node.indexOf(name);
    }

    static Address address(int link, String prefix) {
        int slash = prefix.indexOf('/');
        return Address.of(link, Ip.parse(prefix.substring(0, slash)), Integer.parseInt(prefix.substring(slash + 1)));
    }

    Address add(int link, String prefix) throws Exception {
        Address address = address(link, prefix);
        node.add(address);
        return address;
    }

    Route route(String gateway, int metric) throws Exception {
        Ip router = Ip.parse(gateway);
        Route route = Route.via(everywhere(router.family()), router).withPriority(metric);
        node.add(route);
        return route;
    }

    static IpPrefix everywhere(IpFamily family) {
        return IpPrefix.parse(family == IpFamily.IPV4 ? "0.0.0.0/0" : "::/0");
    }

    /** Collects the log messages about addresses; tests of one JVM run one after the other. */
    private final class Ear extends Handler {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord logged) {
            lines.add(formatter.formatMessage(logged));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Override
    public void close() {
        daemon.ifPresent(Daemon::close);
        SAID.removeHandler(ear);
        node.close();
        neighbour.close();
        ns.close();
        outside.close();
    }
}
