package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.cli.Terminal;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.supervision.io.Supervisor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A running daemon traces real packets, on request of a client of its admin socket. */
@Tag("kernel")
final class TraceTest {
    @TempDir
    private Path folder;

    @TempDir
    private Path place;

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void aPacketIsFollowedToAnEndpoint(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode);
                AdminServer ignoredServer = server(node)) {
            List<FamilyStatus> before = node.daemon().statuses();
            AdminClient.Answer answer = whileSending(node, "text 60 1 192.0.2.9 10.96.0.10:80/udp");
            assertThat(answer).isInstanceOf(AdminClient.Answer.Report.class);
            AdminClient.Answer.Report report = (AdminClient.Answer.Report) answer;
            assertThat(report.healthy()).as(report.text()).isTrue();
            assertThat(report.text())
                    .containsPattern("packet 1      udp 192.0.2.9:\\d+ -> 10.96.0.10:80, sent by this node itself, at ")
                    .contains(" output       ip ", " postrouting  ip ")
                    .contains(
                            mode == ProxyMode.NFTABLES
                                    ? "service-ips: 10.96.0.10 . udp . 80 comment \"shop/web cluster IP\", goto service-ips"
                                    : "\"shop/web cluster IP\", jump KUBE-SVC-")
                    .containsPattern(
                            "\nresult        translated to 10.244.0.5:8080, (masqueraded as \\S+, )?sent through v0\n")
                    .contains("\nservice       shop/web, by its ClusterIP\nplanned       the same\n");
            assertThat(node.commands.run("nft", "list", "tables")).doesNotContain("dualstackd-trace");
            // The daemon takes the table for what it is, one of others: it writes and repairs nothing.
            assertThat(node.daemon().statuses())
                    .extracting(FamilyStatus::counts)
                    .isEqualTo(before.stream().map(FamilyStatus::counts).toList());

            AdminClient.Answer json = whileSending(node, "json 60 1 192.0.2.9 10.96.0.10:80/udp");
            assertThat(((AdminClient.Answer.Report) json).text())
                    .contains("\"fate\" : \"sent\"", "\"asPlanned\" : true", "\"lost\" : false");
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void aRefusedPacketEndsAtTheRuleThatRefusesIt(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode);
                AdminServer ignoredServer = server(node)) {
            Files.delete(folder.resolve("slices.yaml"));
            RenumberedNode.eventually(() -> assertThat(node.commands.ruleset()).doesNotContain("10.244.0.5"));
            AdminClient.Answer answer = whileSending(node, "text 60 1 192.0.2.9 10.96.0.10:80/udp");
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            AdminClient.Answer.Report.class,
                            report -> assertThat(report.text())
                                    .contains(
                                            mode == ProxyMode.NFTABLES
                                                    ? "\nresult        REFUSED by ip dualstackd service-endpoints-check (the client"
                                                    : "\nresult        REFUSED by ip filter KUBE-SERVICES (the client")
                                    .contains(", reject\n", "\nservice       shop/web\nplanned       the same\n"));
        }
    }

    /** Without connection tracking no chain of type nat sees it, as if the kernel knew its connection. */
    @Test
    void aPacketThatIsNotTrackedIsNotAsPlanned() throws Exception {
        try (RenumberedNode node = node(ProxyMode.NFTABLES);
                AdminServer ignoredServer = server(node)) {
            node.commands.run("nft", "add", "table", "ip", "foreign");
            node.commands.run(
                    "nft", "add", "chain", "ip", "foreign", "out", "{ type filter hook output priority -300 ; }");
            node.commands.run("nft", "add", "rule", "ip", "foreign", "out", "ip", "daddr", "10.96.0.10", "notrack");
            assertThat(whileSending(node, "text 60 1 192.0.2.9 10.96.0.10:80/udp"))
                    .isInstanceOfSatisfying(AdminClient.Answer.Report.class, report -> {
                        assertThat(report.healthy()).as(report.text()).isFalse();
                        assertThat(report.text()).contains("it should be forwarded to 10.244.0.5:8080");
                    });
        }
    }

    /** Printed while the trace goes on: it would last for minutes. */
    @Test
    void aPacketIsShownAtOnce() throws Exception {
        try (RenumberedNode node = node(ProxyMode.NFTABLES);
                AdminServer ignoredServer = server(node)) {
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            PrintStream out = new PrintStream(printed, false, StandardCharsets.UTF_8);
            CompletableFuture<Integer> exit =
                    CompletableFuture.supplyAsync(() -> command(out, "--count=3", "--for=5m", "10.96.0.10:80/udp"));
            awaitTable(node);
            send(node);
            RenumberedNode.eventually(() -> assertThat(printed.toString(StandardCharsets.UTF_8))
                    .startsWith("packet 1      udp 192.0.2.9:")
                    .endsWith("\nservice       shop/web, by its ClusterIP\nplanned       the same\n"));
            assertThat(exit).isNotDone();
            send(node);
            RenumberedNode.eventually(() ->
                    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("\npacket 2      udp 192.0.2.9:"));
            send(node);
            assertThat(exit.get(60, TimeUnit.SECONDS)).isZero();
            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .contains("\npacket 3      udp 192.0.2.9:")
                    .endsWith("\nplanned       the same\n");
            printed.reset();
            assertThat(command(out, "--for=1s", "10.96.0.10:81")).isOne();
            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .isEqualTo("no packet from 192.0.2.9 to 10.96.0.10:81 (tcp) in 1 s\n");
            printed.reset();
            assertThat(command(out, "--for=1s", "-o", "json", "10.96.0.10:81")).isOne();
            assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("{").contains("\"packets\" : [ ]");
        }
    }

    /** A daemon that is killed meanwhile. */
    @Test
    void aTraceWithoutItsEndIsNone() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(place.resolve("admin.sock")));
            CompletableFuture<AdminClient.Answer> answer = CompletableFuture.supplyAsync(() -> AdminClient.follow(
                    place.resolve("admin.sock"),
                    "trace live 1 1 192.0.2.9 10.96.0.10:81",
                    Duration.ZERO,
                    part -> true));
            try (SocketChannel client = server.accept()) {
                int ignored = client.write(ByteBuffer.wrap("live\n packet 1\n".getBytes(StandardCharsets.UTF_8)));
            }
            assertThat(answer.get(60, TimeUnit.SECONDS)).isInstanceOf(AdminClient.Answer.Unreachable.class);
        }
    }

    private int command(PrintStream out, String... more) {
        String[] words = Stream.concat(
                        Stream.of("trace", "--admin-socket=" + place.resolve("admin.sock"), "192.0.2.9"),
                        Stream.of(more))
                .toArray(String[]::new);
        Actions none = (Actions) Proxy.newProxyInstance(
                Actions.class.getClassLoader(), new Class<?>[] {Actions.class}, (self, method, arguments) -> {
                    throw new AssertionError(method.getName());
                });
        return CommandLines.execute(none, "0.1", new Terminal(Map.of()), out, out, words);
    }

    @Test
    void noPacketIsAFailure() throws Exception {
        try (RenumberedNode node = node(ProxyMode.NFTABLES);
                AdminServer ignoredServer = server(node)) {
            assertThat(ask("text 1 1 192.0.2.9 10.96.0.10:81"))
                    .isEqualTo(new AdminClient.Answer.Report(
                            "no packet from 192.0.2.9 to 10.96.0.10:81 (tcp) in 1 s\n", false));
            assertThat(ask("text 1 1 192.0.2.9 10.96.0.10:81 nope"))
                    .isEqualTo(new AdminClient.Answer.Refused("this host has no interface nope"));
            assertThat(ask("text 400 1 192.0.2.9 10.96.0.10:81"))
                    .isEqualTo(new AdminClient.Answer.Refused("--for: \"400s\": must be 1s to 5m"));
        }
    }

    @Test
    void itEndsWhenTheClientIsGone() throws Exception {
        try (RenumberedNode node = node(ProxyMode.NFTABLES);
                AdminServer ignoredServer = server(node)) {
            try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                client.connect(UnixDomainSocketAddress.of(place.resolve("admin.sock")));
                int ignored = client.write(
                        ByteBuffer.wrap("trace text 300 1 192.0.2.9 10.96.0.10:81\n".getBytes(StandardCharsets.UTF_8)));
                RenumberedNode.eventually(() ->
                        assertThat(node.commands.run("nft", "list", "tables")).contains("dualstackd-trace"));
                assertThat(ask("text 1 1 192.0.2.9 10.96.0.10:81"))
                        .isEqualTo(
                                new AdminClient.Answer.Refused("another trace is under way; there is one at a time"));
            }
            RenumberedNode.eventually(
                    () -> assertThat(node.commands.run("nft", "list", "tables")).doesNotContain("dualstackd-trace"));
        }
    }

    /** As {@code nc -N} does: it cannot be told from a client that is gone before the answer is sent. */
    @Test
    void aClientThatShutsDownItsSideIsToldThatThisEndsTheTrace() throws Exception {
        try (RenumberedNode node = node(ProxyMode.NFTABLES);
                AdminServer ignoredServer = server(node)) {
            assertThat(thenShutDown("trace text 300 1 192.0.2.9 10.96.0.10:81\n"))
                    .isEqualTo(
                            "error\nthe client shut down its side of the connection, which ends a trace; keep it open"
                                    + " until the answer is complete\n");
            assertThat(thenShutDown("explain text 192.0.2.9 10.96.0.10:80/udp\n"))
                    .contains("shop/web");
            assertThat(thenShutDown("explain text 192.0.2.9 10.96.0.10:80/udp nope\n"))
                    .isEqualTo("error\nthis host has no interface nope\n");
        }
    }

    private String thenShutDown(String request) throws IOException {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(place.resolve("admin.sock")))) {
            int ignored = client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
            client.shutdownOutput();
            return new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void tablesOfIptablesLegacyAreNotTraced() throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.IPTABLES)) {
            node.keepsRulesIn(IptablesVariant.LEGACY);
            node.start("ipv4,ipv6");
            try (AdminServer ignoredServer = server(node)) {
                assertThat(ask("text 1 1 192.0.2.9 10.96.0.10:80"))
                        .isInstanceOfSatisfying(
                                AdminClient.Answer.Refused.class,
                                refused -> assertThat(refused.why()).contains("iptables legacy"));
            }
        }
    }

    private RenumberedNode node(ProxyMode mode) throws Exception {
        RenumberedNode node = new RenumberedNode(folder, mode);
        node.put("web.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: shop}
                spec:
                  clusterIP: 10.96.0.10
                  ports: [{port: 80, protocol: UDP}]
                """);
        node.put("slices.yaml", """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{port: 8080, protocol: UDP}]
                endpoints: [{addresses: [10.244.0.5]}]
                """);
        node.commands.run("ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1");
        node.commands.run("ip", "address", "add", "192.0.2.9/24", "dev", "v0");
        node.commands.run("ip", "link", "set", "v0", "up");
        node.commands.run("ip", "link", "set", "v1", "up");
        node.commands.run("ip", "route", "add", "10.0.0.0/8", "dev", "v0");
        node.start("ipv4,ipv6");
        return node;
    }

    private AdminServer server(RenumberedNode node) throws Exception {
        AdminServer server = AdminServer.bind(place.resolve("admin.sock"));
        server.answer(
                new AdminSources(
                        Reports::healthy,
                        Optional::empty,
                        Optional::empty,
                        Optional.empty(),
                        Optional.of(node.daemon().explainer()),
                        List.of(),
                        RecentLog.NONE),
                Supervisor.none());
        return server;
    }

    private AdminClient.Answer ask(String words) {
        return AdminClient.send(place.resolve("admin.sock"), "trace " + words, Duration.ofMinutes(2));
    }

    /** Asks, and sends a datagram once the kernel traces. */
    private AdminClient.Answer whileSending(RenumberedNode node, String words) throws Exception {
        CompletableFuture<AdminClient.Answer> answer = CompletableFuture.supplyAsync(() -> ask(words));
        awaitTable(node);
        send(node);
        return answer.get(2, TimeUnit.MINUTES);
    }

    private static void awaitTable(RenumberedNode node) {
        RenumberedNode.eventually(
                () -> assertThat(node.commands.run("nft", "list", "tables")).contains("dualstackd-trace"));
    }

    private static void send(RenumberedNode node) throws Exception {
        boolean ignored = node.ns.call(() -> {
            try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress("192.0.2.9", 0))) {
                socket.send(new DatagramPacket(new byte[1], 1, new InetSocketAddress("10.96.0.10", 80)));
            } catch (IOException e) {
                // Refused on its way out: it was sent all the same.
            }
            return true;
        });
    }
}
