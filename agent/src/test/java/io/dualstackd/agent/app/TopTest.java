package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.admin.top.Traffic;
import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.cli.Terminal;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.pages.metrics.Exposition;
import io.dualstackd.pages.metrics.ServiceMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code top} shows the connections that a daemon's kernel counts. */
@Tag("kernel")
final class TopTest {
    private static final Actions NO_ACTIONS = (Actions) Proxy.newProxyInstance(
            Actions.class.getClassLoader(), new Class<?>[] {Actions.class}, (self, method, arguments) -> {
                throw new AssertionError(method.getName());
            });

    @TempDir
    Path folder;

    @TempDir
    Path sockets;

    @ParameterizedTest
    @CsvSource({"NFTABLES, NF_TABLES", "IPTABLES, NF_TABLES", "IPTABLES, LEGACY"})
    void connectionsOfBothFamilies(ProxyMode mode, IptablesVariant variant) throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, mode);
                AdminServer server = AdminServer.bind(sockets.resolve("admin.sock"))) {
            node.keepsRulesIn(variant);
            node.commands.run("ip", "address", "add", "192.0.2.10/32", "dev", "lo");
            node.commands.run("ip", "address", "add", "2001:db8::10/128", "dev", "lo");
            node.commands.run("ip", "route", "add", "10.96.0.0/16", "dev", "lo");
            node.commands.run("ip", "route", "add", "fd00:10:96::/112", "dev", "lo");
            node.put("slices.yaml", """
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
                    addressType: IPv4
                    ports: [{port: 8080}]
                    endpoints: [{addresses: [192.0.2.10]}]
                    """);
            node.start("ipv4,ipv6");
            answer(server, node);
            connect(node, "10.96.0.10", 3);
            connect(node, "fd00:10:96::10", 2);

            AdminClient.Answer json = AdminClient.send(sockets.resolve("admin.sock"), "top json shop");
            assertThat(json).isInstanceOf(AdminClient.Answer.Report.class);
            assertThat(((AdminClient.Answer.Report) json).text().replaceAll("\\s+", ""))
                    .contains("\"frontend\":\"10.96.0.10:80/tcp\",\"family\":\"IPv4\",\"type\":\"ClusterIP\","
                            + "\"state\":\"ok\",\"endpoints\":1,\"connections\":3,\"refused\":0,\"dropped\":0")
                    .contains("\"frontend\":\"[fd00:10:96::10]:80/tcp\",\"family\":\"IPv6\",\"type\":\"ClusterIP\","
                            + "\"state\":\"noendpoint\",\"endpoints\":0,\"connections\":0,\"refused\":2,\"dropped\":0");
            assertThat(page(node))
                    .contains(
                            "dualstackd_service_connections_total{ip_family=\"IPv4\",kind=\"ClusterIP\",namespace=\"shop\",port=\"80\",service=\"web\"} 3.0",
                            "dualstackd_service_connections_refused_total{ip_family=\"IPv6\",kind=\"ClusterIP\",namespace=\"shop\",port=\"80\",service=\"web\"} 2.0");
            assertThat(command().lines())
                    .satisfiesExactly(
                            line -> assertThat(line.split(" {3,}"))
                                    .containsExactly(
                                            "SERVICE",
                                            "IPV4/S",
                                            "IPV6/S",
                                            "REFUSED/S",
                                            "DROPPED/S",
                                            "IPV4",
                                            "IPV6",
                                            "REFUSED",
                                            "DROPPED",
                                            "ACTIVE",
                                            "ENDPOINTS",
                                            "CHANGED",
                                            "STATE"),
                            line -> assertThat(line.split(" {3,}"))
                                    .containsExactly(
                                            "shop/web",
                                            "-",
                                            "-",
                                            "-",
                                            "-",
                                            "3",
                                            "0",
                                            "2",
                                            "0",
                                            "0",
                                            "1/0",
                                            "-",
                                            "no endpoint"));
            onANarrowTerminal();
        }
    }

    /** Of lines that do not fit, the last column that does has a mark. */
    private void onANarrowTerminal() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            Thread top = Thread.ofVirtual()
                    .start(() -> CommandLines.execute(
                            NO_ACTIONS,
                            "0.1",
                            new Terminal(Map.of("COLUMNS", "60"), true),
                            out,
                            out,
                            "top",
                            "--admin-socket=" + sockets.resolve("admin.sock")));
            RenumberedNode.eventually(
                    () -> assertThat(printed.toString(StandardCharsets.UTF_8)).contains("shop/web"));
            top.interrupt();
            top.join();
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.contains("SERVICE  ") || line.contains("shop/web"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.replaceFirst("\\033\\[H\\033\\[2J", ""))
                        .hasSize(60)
                        .endsWith("…"));
    }

    private static String slice(String address) {
        return """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{port: 8080}]
                endpoints: [{addresses: [%s]}]
                """.formatted(address);
    }

    @ParameterizedTest
    @CsvSource({
        "NFTABLES, NF_TABLES, false",
        "NFTABLES, NF_TABLES, true",
        "IPTABLES, NF_TABLES, false",
        "IPTABLES, LEGACY, false"
    })
    void openConnectionsAndTheLastChange(ProxyMode mode, IptablesVariant variant, boolean endpointCounters)
            throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, mode);
                AdminServer server = AdminServer.bind(sockets.resolve("admin.sock"))) {
            node.keepsRulesIn(variant);
            node.countsEndpoints(endpointCounters);
            node.commands.run("ip", "address", "add", "192.0.2.10/32", "dev", "lo");
            node.commands.run("ip", "route", "add", "10.96.0.0/16", "dev", "lo");
            node.put("slices.yaml", slice("192.0.2.10"));
            node.start("ipv4");
            answer(server, node);
            assertThat(answer("top json shop")).doesNotContain("lastChangeMillis");
            List<AutoCloseable> open = new ArrayList<>();
            try {
                ServerSocketChannel endpoint =
                        node.ns.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress("192.0.2.10", 8080)));
                open.add(endpoint);
                for (InetSocketAddress through : List.of(
                        new InetSocketAddress("10.96.0.10", 80),
                        new InetSocketAddress("10.96.0.10", 80),
                        new InetSocketAddress("192.0.2.10", 30080))) {
                    open.add(node.ns.call(() -> SocketChannel.open(through)));
                }
                // Not translated, and so none of a Service.
                open.add(node.ns.call(() -> SocketChannel.open(new InetSocketAddress("192.0.2.10", 8080))));
                assertThat(answer("top json shop"))
                        .contains("\"frontend\":\"10.96.0.10:80/tcp\"")
                        .contains("\"type\":\"ClusterIP\",\"state\":\"ok\",\"endpoints\":1,\"connections\":2,"
                                + "\"refused\":0,\"dropped\":0,\"activeFlows\":2")
                        .contains("\"type\":\"NodePort\",\"state\":\"ok\",\"endpoints\":1,\"connections\":1,"
                                + "\"refused\":0,\"dropped\":0,\"activeFlows\":1");
                String counted = mode == ProxyMode.IPTABLES || endpointCounters ? "\"connections\":3," : "";
                assertThat(answer("top json shop endpoints"))
                        .contains("\"endpoint\":\"192.0.2.10:8080\",\"local\":false,\"state\":\"ok\"," + counted
                                + "\"activeFlows\":3}");

                node.put("slices.yaml", slice("192.0.2.11"));
                RenumberedNode.eventually(() -> assertThat(answer("top json shop endpoints"))
                        .contains("\"endpoint\":\"192.0.2.11:8080\",\"local\":false,\"state\":\"ok\"")
                        .contains(
                                "\"endpoint\":\"192.0.2.10:8080\",\"state\":\"nonewconnections\",\"activeFlows\":3}"));
                RenumberedNode.eventually(
                        () -> assertThat(answer("top json shop")).contains("\"lastChangeMillis\":"));
                assertThat(command("--by", "endpoint").lines().toList().getFirst())
                        .isEqualTo("ENDPOINT              SERVICE    CONNECTIONS/S   CONNECTIONS   ACTIVE   STATE");
            } finally {
                for (AutoCloseable each : open) {
                    each.close();
                }
            }
        }
    }

    /** An answer without white space. */
    private String answer(String question) {
        AdminClient.Answer answer = AdminClient.send(sockets.resolve("admin.sock"), question);
        assertThat(answer).isInstanceOf(AdminClient.Answer.Report.class);
        return ((AdminClient.Answer.Report) answer).text().replaceAll("\\s+", "");
    }

    private static void answer(AdminServer server, RenumberedNode node) {
        server.answer(new AdminSources(
                Reports::healthy,
                Optional::empty,
                () -> Optional.of(node.daemon().objects()),
                Optional.empty(),
                Optional.empty(),
                node.daemon().counts(),
                node.daemon().flows(),
                RecentLog.NONE));
    }

    private static void connect(RenumberedNode node, String address, int times) throws Exception {
        node.ns.call(() -> {
            for (int i = 0; i < times; i++) {
                try (SocketChannel channel = SocketChannel.open()) {
                    channel.configureBlocking(false);
                    boolean ignored = channel.connect(new InetSocketAddress(address, 80));
                } catch (IOException e) {
                    // Refused: counted all the same.
                }
            }
            return null;
        });
    }

    private static List<String> page(RenumberedNode node) {
        ObjectsReport objects = node.daemon().objects();
        Traffic traffic = Traffic.of(
                0, Frontends.of(objects, Optional.empty()), node.daemon().counts());
        return new ServiceMetrics()
                .text(traffic, Exposition.accepted(""))
                .lines()
                .toList();
    }

    private String command(String... more) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            String socket = "--admin-socket=" + sockets.resolve("admin.sock");
            String[] words =
                    Stream.concat(Stream.of("top", socket), Stream.of(more)).toArray(String[]::new);
            assertThat(CommandLines.execute(NO_ACTIONS, "0.1", new Terminal(Map.of()), out, out, words))
                    .isZero();
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
