package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.cli.Terminal;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.dataplane.model.ProxyMode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code monitor} shows what happens in a daemon on a real kernel. */
@Tag("kernel")
final class MonitorTest {
    private static final String SLICE = """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints: [{addresses: [10.244.0.%d]}]
            """;

    @TempDir
    Path folder;

    @TempDir
    Path sockets;

    @BeforeEach
    void log() {
        LogSetup.install(LogFormat.TEXT, LogLevel.INFO, System.err);
    }

    @AfterEach
    void logAsBefore() {
        LogSetup.install(LogFormat.TEXT, LogLevel.INFO, System.err);
    }

    @Test
    void changesAndRepairsWithTheirReasons() throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES);
                AdminServer server = AdminServer.bind(sockets.resolve("admin.sock"))) {
            node.put("slices.yaml", SLICE.formatted(5));
            node.start("ipv4,ipv6");
            server.answer(new AdminSources(
                    Reports::healthy,
                    Optional::empty,
                    () -> Optional.of(node.daemon().objects()),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    LogSetup.recent()));
            assertThat(command("--once")).isNotEmpty();

            node.put("slices.yaml", SLICE.formatted(6));
            RenumberedNode.eventually(() -> assertThat(command("shop/web", "--since", "1m", "--once"))
                    .anySatisfy(line -> assertThat(line)
                            .matches(".*  \\w+ +service changed service=shop/web"
                                    + " what=\"10\\.244\\.0\\.5 removed, 10\\.244\\.0\\.6 added\""))
                    .anySatisfy(line -> assertThat(line)
                            .matches(".*  dataplane   in force family=IPv4 .* ms=[0-9.]+ changed=shop/web")));
            assertThat(command("-n", "elsewhere", "--since", "1m", "--once"))
                    .noneSatisfy(line -> assertThat(line).contains("shop/web"));

            node.commands.run("nft", "flush", "chain", "ip", "dualstackd", "masquerading");
            RenumberedNode.eventually(() -> assertThat(command("--since", "1m", "--once"))
                    .anySatisfy(line -> assertThat(line)
                            .contains("repaired what others changed family=IPv4")
                            .contains("by=")));
            assertThat(command("--since", "1m", "--once", "-o", "json"))
                    .isNotEmpty()
                    .allSatisfy(
                            line -> assertThat(line).startsWith("{\"time\":\"").endsWith("}"));
        }
    }

    private List<String> command(String... words) {
        Actions none = (Actions) Proxy.newProxyInstance(
                Actions.class.getClassLoader(), new Class<?>[] {Actions.class}, (self, method, arguments) -> {
                    throw new AssertionError(method.getName());
                });
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            String[] all = Stream.concat(
                            Stream.of("monitor", "--admin-socket=" + sockets.resolve("admin.sock")), Stream.of(words))
                    .toArray(String[]::new);
            assertThat(CommandLines.execute(none, "0.1", new Terminal(Map.of()), out, out, all))
                    .as(() -> printed.toString(StandardCharsets.UTF_8))
                    .isZero();
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
