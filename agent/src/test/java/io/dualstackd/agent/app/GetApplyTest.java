package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Reports;
import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.explain.ExplanationText;
import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.CommandLines;
import io.dualstackd.agent.cli.Terminal;
import io.dualstackd.dataplane.model.ProxyMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code get -o yaml | apply -f -} on a running daemon, over its admin socket, with a real kernel behind it. */
@Tag("kernel")
final class GetApplyTest {
    @TempDir
    private Path folder;

    private Path sockets = Path.of("/");

    /** Not a {@code @TempDir}: the build's own folder may be too deep for a socket's path. */
    @BeforeEach
    void makeFolder() throws IOException {
        sockets = Files.createTempDirectory(Path.of("/tmp"), "dsd");
    }

    @AfterEach
    void removeFolder() throws IOException {
        Files.deleteIfExists(sockets.resolve("admin.sock"));
        Files.delete(sockets);
    }

    @Test
    void aRestrictedLoadBalancerStaysRestricted() throws Exception {
        String text = """
                # Only for the office.
                apiVersion: v1
                kind: Service
                metadata: {name: lb, labels: {team: shop}}
                spec:
                  type: LoadBalancer
                  clusterIP: 10.96.0.20
                  loadBalancerSourceRanges: [198.51.100.0/24]
                  ports: [{port: 443, targetPort: 8443}]
                status: {loadBalancer: {ingress: [{ip: 203.0.113.7}]}}
                """;
        Files.writeString(folder.resolve("lb.yaml"), text);
        Files.writeString(folder.resolve("slice.yaml"), """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: lb-4, labels: {kubernetes.io/service-name: lb, mine: "yes"}}
                addressType: IPv4
                ports: [{port: 8443, appProtocol: https}]
                endpoints: [{addresses: [10.244.0.5], zone: a, hints: {forZones: [{name: a}]}}]
                """);
        Path socket = sockets.resolve("admin.sock");
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES);
                AdminServer server = AdminServer.bind(socket)) {
            node.start("ipv4,ipv6");
            server.answer(new AdminSources(
                    Reports::healthy,
                    Optional::empty,
                    () -> Optional.of(node.daemon().objects()),
                    node.daemon().source().editing(),
                    Optional.empty(),
                    node.daemon().counts(),
                    RecentLog.NONE));
            String outside = explain(node, "192.0.2.1");
            String slice = Files.readString(folder.resolve("slice.yaml"));
            assertThat(outside).contains("result      dropped");
            assertThat(explain(node, "198.51.100.9")).contains("result      forwarded");

            for (String question : new String[] {
                "get services/lb yaml default -", "get services json * -", "get endpointslices/lb-4 yaml default -"
            }) {
                AdminClient.Answer shown = AdminClient.send(socket, question);
                assertThat(shown).isInstanceOf(AdminClient.Answer.Report.class);
                byte[] printed = ((AdminClient.Answer.Report) shown).text().getBytes(StandardCharsets.UTF_8);
                assertThat(AdminClient.send(socket, "apply default now strict stdin", printed))
                        .as(question)
                        .isInstanceOfSatisfying(
                                AdminClient.Answer.Report.class,
                                report -> assertThat(report.text().lines())
                                        .allMatch(line -> line.endsWith(" unchanged")));
            }
            assertThat(explain(node, "192.0.2.1")).isEqualTo(outside);
            assertThat(folder.resolve("lb.yaml")).content().isEqualTo(text);
            assertThat(folder.resolve("slice.yaml")).content().isEqualTo(slice);
        }
    }

    /** As kubectl: the row of an object that is gone is printed once more. */
    @ParameterizedTest
    @CsvSource({"get svc -w, ''", "-n default get svc -o wide -w, '    <none>'"})
    void aWatchPrintsChangesAndWhatIsGone(String command, String selector) throws Exception {
        Path file = folder.resolve("lb.yaml");
        String text =
                "{apiVersion: v1, kind: Service, metadata: {name: lb}, spec: {clusterIP: 10.96.0.20, ports: [{port: 443}]}}";
        Files.writeString(file, text);
        Path socket = sockets.resolve("admin.sock");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES);
                AdminServer server = AdminServer.bind(socket);
                PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8)) {
            node.start("ipv4,ipv6");
            server.answer(new AdminSources(
                    Reports::healthy,
                    Optional::empty,
                    () -> Optional.of(node.daemon().objects()),
                    node.daemon().source().editing(),
                    Optional.empty(),
                    node.daemon().counts(),
                    RecentLog.NONE));
            Thread watch = Thread.ofVirtual()
                    .start(() -> CommandLines.execute(
                            noActions(),
                            "0.1",
                            new Terminal(Map.of()),
                            to,
                            to,
                            (command + " --admin-socket=" + socket).split(" ")));
            String row = "lb     ClusterIP   10.96.0.20   <none>        443/TCP   AGE" + selector;
            RenumberedNode.eventually(() -> assertThat(rows(out)).containsExactly(row));
            Files.writeString(file, text.replace("443", "444"));
            RenumberedNode.eventually(() -> assertThat(rows(out)).containsExactly(row, row.replace("443", "444")));
            Files.delete(file);
            RenumberedNode.eventually(() ->
                    assertThat(rows(out)).containsExactly(row, row.replace("443", "444"), row.replace("443", "444")));
            watch.interrupt();
            watch.join();
        }
    }

    /** A name without a namespace is completed in the namespace in which the command looks for it. */
    @Test
    void completesNamesOfTheNamespace() throws Exception {
        for (String place : List.of("default/here", "shop/there", "shop/too")) {
            int slash = place.indexOf('/');
            Files.writeString(
                    folder.resolve(place.substring(slash + 1) + ".yaml"),
                    "{apiVersion: v1, kind: Service, metadata: {name: " + place.substring(slash + 1) + ", namespace: "
                            + place.substring(0, slash) + "}, spec: {clusterIP: None}}");
        }
        Path socket = sockets.resolve("admin.sock");
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES);
                AdminServer server = AdminServer.bind(socket)) {
            node.start("ipv4,ipv6");
            server.answer(new AdminSources(
                    Reports::healthy,
                    Optional::empty,
                    () -> Optional.of(node.daemon().objects()),
                    node.daemon().source().editing(),
                    Optional.empty(),
                    node.daemon().counts(),
                    RecentLog.NONE));
            assertThat(completed(socket, "svc/")).contains("svc/here").doesNotContain("svc/there");
            assertThat(completed(socket, "-n", "shop", "svc/")).contains("svc/there", "svc/too");
            assertThat(completed(socket, "-n", "shop", "svc/there", "svc/t")).containsExactly("svc/too");
            assertThat(completed(socket, "-n", "shop", "svc", "there", "t")).containsExactly("too");
            assertThat(completed(socket, "svc", "shop/t")).containsExactly("shop/there", "shop/too");
        }
    }

    private static List<String> completed(Path socket, String... words) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            CommandLines.execute(
                    noActions(),
                    "0.1",
                    new Terminal(Map.of()),
                    out,
                    out,
                    Stream.concat(Stream.of("__complete", "get", "--admin-socket", socket.toString()), Stream.of(words))
                            .toArray(String[]::new));
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Actions noActions() {
        return (Actions) Proxy.newProxyInstance(
                Actions.class.getClassLoader(), new Class<?>[] {Actions.class}, (self, method, given) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private static List<String> rows(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .skip(1)
                .map(row -> row.replaceAll("[0-9]+s( |$)", "AGE$1"))
                .toList();
    }

    /** Endpoints, as people wrote them for databases outside the cluster before there were slices. */
    @Test
    void endpointsOfAFileServeBothFamiliesAndArePrinted() throws Exception {
        Files.writeString(folder.resolve("db.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: db}
                spec:
                  clusterIP: 10.96.0.30
                  clusterIPs: [10.96.0.30, "fd00:96::30"]
                  ipFamilies: [IPv4, IPv6]
                  ports: [{name: sql, port: 5432}]
                ---
                apiVersion: v1
                kind: Endpoints
                metadata: {name: db}
                subsets:
                - addresses: [{ip: 192.0.2.5}, {ip: "2001:db8::5"}]
                  ports: [{name: sql, port: 15432}]
                """);
        Files.writeString(folder.resolve("six.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: six}
                spec:
                  clusterIP: "fd00:96::31"
                  clusterIPs: ["fd00:96::31", 10.96.0.31]
                  ipFamilies: [IPv6, IPv4]
                  ports: [{name: sql, port: 5432}]
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: six-4, labels: {kubernetes.io/service-name: six}}
                addressType: IPv4
                ports: [{name: sql, port: 15432}]
                endpoints: [{addresses: [192.0.2.6]}]
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: six-6, labels: {kubernetes.io/service-name: six}}
                addressType: IPv6
                ports: [{name: sql, port: 15432}]
                endpoints: [{addresses: ["2001:db8::6"]}]
                """);
        Path socket = sockets.resolve("admin.sock");
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES);
                AdminServer server = AdminServer.bind(socket)) {
            node.start("ipv4,ipv6");
            server.answer(new AdminSources(
                    Reports::healthy,
                    Optional::empty,
                    () -> Optional.of(node.daemon().objects()),
                    node.daemon().source().editing(),
                    Optional.empty(),
                    node.daemon().counts(),
                    RecentLog.NONE));
            RenumberedNode.eventually(
                    () -> assertThat(explained(node, "10.96.0.30:5432")).contains("192.0.2.5:15432"));
            RenumberedNode.eventually(
                    () -> assertThat(explained(node, "[fd00:96::30]:5432")).contains("[2001:db8::5]:15432"));
            assertThat(asked(socket, "get endpoints text * -"))
                    .contains("NAMESPACE   NAME   ENDPOINTS ")
                    .contains("default     db     192.0.2.5:15432,[2001:db8::5]:15432   <unknown>")
                    .as("made of slices: the first family only")
                    .containsPattern("default +six +\\[2001:db8::6]:15432 +<unknown>")
                    .doesNotContain("192.0.2.6");
            assertThat(asked(socket, "get endpoints/db yaml default -")).contains("ip: 192.0.2.5");
            assertThat(asked(socket, "get endpointslices/db-ipv6-2 yaml default -"))
                    .contains("endpointslice.kubernetes.io/managed-by: endpointslicemirroring-controller.k8s.io")
                    .contains("- 2001:db8::5");
        }
    }

    private static String asked(Path socket, String question) throws IOException {
        AdminClient.Answer answer = AdminClient.send(socket, question);
        assertThat(answer).as(question).isInstanceOf(AdminClient.Answer.Report.class);
        return ((AdminClient.Answer.Report) answer).text();
    }

    private static String explained(RenumberedNode node, String destination) {
        return ExplanationText.of(node.daemon()
                .explainer()
                .explain(ExplainRequest.parse(
                        destination.startsWith("[") ? "2001:db8:9::9" : "198.51.100.9", destination, "")));
    }

    private static String explain(RenumberedNode node, String from) {
        return ExplanationText.of(node.daemon().explainer().explain(ExplainRequest.parse(from, "203.0.113.7:443", "")));
    }
}
