package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.conntrack.ConntrackEntry;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.conntrack.FlowTuple;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole daemon, from manifests to the kernel's table of connections. */
@Tag("kernel")
final class DaemonFlowsTest {
    private static final IpPort DNS = at("10.96.0.10", 53);
    private static final IpPort DNS6 = at("fd00:10:96::10", 53);

    @TempDir
    private Path folder;

    private NetNs ns;
    private ConntrackClient flows;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        flows = ConntrackClient.open(NetlinkSockets.of(ns));
    }

    @AfterEach
    void close() {
        flows.close();
        ns.close();
    }

    private Daemon daemon(ProxyMode mode, Optional<Duration> drain) throws Exception {
        NodeSettings node = NodeSettingsBuilder.node("n").settings();
        DaemonSettings settings = DaemonSettingsBuilder.daemon(
                        mode, new SourceSettings.Folder(folder.toString()), ns, node)
                .drainTcpAfter(drain)
                .settings();
        Daemon daemon = Daemon.start(settings, status -> {});
        for (IpFamily family : IpFamily.values()) {
            until(daemon, family, status -> status.state() == State.IN_FORCE);
        }
        return daemon;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void flowsFollowTheManifests(ProxyMode mode) throws Exception {
        dns("10.244.0.1", "fd00:10:244::1");
        // Before the daemon starts: two flows that are right, two that are not.
        add(Proto.UDP, 1, DNS, "10.244.0.1", 53);
        add(Proto.UDP, 2, DNS, "10.244.0.9", 53);
        add(Proto.UDP, 1, DNS6, "fd00:10:244::1", 53);
        add(Proto.UDP, 2, DNS6, "fd00:10:244::9", 53);
        try (Daemon daemon = daemon(mode, Optional.empty())) {
            deleted(daemon, IpFamily.IPV4, 1);
            deleted(daemon, IpFamily.IPV6, 1);
            assertThat(sourcePorts(IpFamily.IPV4)).containsExactly(1);
            assertThat(sourcePorts(IpFamily.IPV6)).containsExactly(1);

            add(Proto.TCP, 3, at("10.96.0.10", 53), "10.244.0.1", 53);
            dns("10.244.0.2", "fd00:10:244::1");
            deleted(daemon, IpFamily.IPV4, 2);
            assertThat(sourcePorts(IpFamily.IPV4)).as("TCP stays").containsExactly(3);
            assertThat(sourcePorts(IpFamily.IPV6)).containsExactly(1);

            Files.delete(folder.resolve("dns.yaml"));
            deleted(daemon, IpFamily.IPV6, 2);
            assertThat(sourcePorts(IpFamily.IPV6)).isEmpty();
            assertThat(daemon.statuses())
                    .allMatch(status -> status.flows().problem().isEmpty());
        }
    }

    /** Flows that begin while the rules are gone are not translated, and would stay so. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void flowsOfATimeWithoutRulesAreLookedAtAgain(ProxyMode mode) throws Exception {
        dns("10.244.0.1", "fd00:10:244::1");
        try (Daemon daemon = daemon(mode, Optional.empty())) {
            add(Proto.UDP, 1, DNS, "10.96.0.10", 53);
            new NetNsCommands(ns).run("nft", "flush", "ruleset");
            deleted(daemon, IpFamily.IPV4, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void tcpIsDrainedInTime(ProxyMode mode) throws Exception {
        dns("10.244.0.1", "fd00:10:244::1");
        try (Daemon daemon = daemon(mode, Optional.of(Duration.ofMillis(300)))) {
            add(Proto.TCP, 1, DNS, "10.244.0.1", 53);
            dns("10.244.0.2", "fd00:10:244::1");
            deleted(daemon, IpFamily.IPV4, 1);
            assertThat(sourcePorts(IpFamily.IPV4)).isEmpty();
        }
    }

    private static void deleted(Daemon daemon, IpFamily family, long count) {
        until(daemon, family, status -> status.flows().deleted() == count);
    }

    private static void until(Daemon daemon, IpFamily family, Predicate<FamilyStatus> condition) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> daemon.statuses().stream()
                        .filter(status -> status.family() == family)
                        .anyMatch(condition));
    }

    private List<Integer> sourcePorts(IpFamily family) throws Exception {
        return flows.list(new FlowFilter.All(family)).stream()
                .map(entry -> entry.original().source().port())
                .toList();
    }

    /** A client's connection to a frontend that was translated to an endpoint. */
    private void add(Proto proto, int sourcePort, IpPort frontend, String endpoint, int port) throws Exception {
        boolean v4 = frontend.ip().family() == IpFamily.IPV4;
        IpPort client = at(v4 ? "10.244.9.9" : "fd00:10:244::9:9", sourcePort);
        assertThat(flows.add(List.of(ConntrackEntry.of(
                        FlowTuple.of(proto, client, frontend), FlowTuple.of(proto, at(endpoint, port), client), 600))))
                .isEqualTo(1);
    }

    private static IpPort at(String ip, int port) {
        return new IpPort(Ip.parse(ip), port);
    }

    /** UDP and TCP, with one endpoint in each family. */
    private void dns(String endpoint, String endpoint6) throws Exception {
        String slice = """
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: dns-%s, namespace: kube-system, labels: {kubernetes.io/service-name: dns}}
            addressType: %s
            ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]
            endpoints: [{addresses: ["%s"], conditions: {ready: true}}]
            """;
        String text = """
            apiVersion: v1
            kind: Service
            metadata: {name: dns, namespace: kube-system}
            spec:
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10, "fd00:10:96::10"]
              ipFamilyPolicy: RequireDualStack
              ipFamilies: [IPv4, IPv6]
              ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]
            """ + slice.formatted("4", "IPv4", endpoint) + slice.formatted("6", "IPv6", endpoint6);
        Path draft = folder.resolve("dns.draft");
        Files.writeString(draft, text);
        Files.move(draft, folder.resolve("dns.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }
}
