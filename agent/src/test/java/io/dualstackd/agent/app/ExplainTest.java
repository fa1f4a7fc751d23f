package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.explain.Explainer;
import io.dualstackd.admin.explain.ExplanationJson;
import io.dualstackd.admin.explain.ExplanationText;
import io.dualstackd.admin.explain.ServiceCases;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explanations of packets by a running daemon, with a real kernel. */
@Tag("kernel")
final class ExplainTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void packetsAreExplained(ProxyMode mode) throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, mode)) {
            shop(node);
            node.start("ipv4,ipv6");

            String forwarded = explain(node, "192.0.2.1", "10.96.0.10:80");
            assertThat(forwarded)
                    .contains("packet      tcp 192.0.2.1 -> 10.96.0.10:80, on any interface (--in NAME selects one)")
                    .contains("service     shop/web, by its ClusterIP\n")
                    .contains("endpoints   every one that this node may use\n")
                    .contains("source      kept: nothing is configured that tells pods of this node from others\n")
                    .contains("result      forwarded to one of 2, each as likely as the others\n")
                    .contains("              10.244.0.5:8080\n")
                    .contains("kernel      " + mode + ", does the same, by\n")
                    .contains("shop/web");
            assertThat(explain(node, "2001:db8::1", "[fd00:10:96::10]:80"))
                    .contains(
                            "result      refused (the client sees \"connection refused\"): no endpoint serves anywhere\n")
                    .contains(", does the same, by\n");
            assertThat(explain(node, "192.0.2.1", "198.51.100.1:80"))
                    .contains("service     none has this address and port\n")
                    .contains(", does the same, by\n");
            assertThat(JsonPrint.indented(
                            ExplanationJson.of(node.daemon().explainer().explain(asked("192.0.2.1", "10.96.0.10:80")))))
                    .contains("\"fate\" : \"forwarded\"")
                    .contains("\"agrees\" : true");
        }
    }

    /** A prefix is no interface that a packet could come in through. */
    @Test
    void theInterfaceOfAPodIsTheOneThatItsRouteLeavesThrough() throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES)) {
            node.start("ipv4,ipv6");
            node.node.add(Route.dev(IpPrefix.parse("10.244.0.5/32"), node.cable("cali1")));
            node.node.add(Route.dev(IpPrefix.parse("10.244.0.6/32"), node.cable("eth1")));
            NodeSettings calico = NodeSettingsBuilder.node(RenumberedNode.NAME)
                    .ips("ipv4,ipv6")
                    .detectLocal(new DetectLocal.InterfacePrefix("cali"))
                    .settings();
            node.daemon()
                    .follow(node.settings(NodeIps.parse("ipv4,ipv6"), NodePortAddresses.PRIMARY).toBuilder()
                            .node(calico)
                            .build());
            Explainer explainer = node.daemon().explainer();
            assertThat(explainer.podInterface(Ip.parse("10.244.0.5"))).contains("cali1");
            assertThat(explainer.podInterface(Ip.parse("10.244.0.6"))).isEmpty();
            assertThat(explainer.podInterface(Ip.parse("10.244.0.7"))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void theKernelsPartIsAPathForEachEndpoint(ProxyMode mode) throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, mode)) {
            shop(node);
            node.start("ipv4,ipv6");
            String whole = kernelPart(explain(node, "192.0.2.1", "10.96.0.10:80"));
            int then = whole.indexOf("              then, for each of them\n");
            // Only iptables mode has rules for every packet that is forwarded.
            assertThat(then > 0).isEqualTo(mode == ProxyMode.IPTABLES);
            assertThat(whole.substring(Math.max(then, 0)).contains("-A KUBE-POSTROUTING"))
                    .isEqualTo(then > 0);
            String kernel = then > 0 ? whole.substring(0, then) : whole;
            List<String> paths = List.of(kernel.split("(?m)^ {14}to ", -1));
            assertThat(paths).hasSize(3);
            for (int i = 0; i < 2; i++) {
                String endpoint = i == 0 ? "10.244.0.5" : "10.244.1.6";
                String other = i == 0 ? "10.244.1.6" : "10.244.0.5";
                String path = paths.get(i + 1);
                assertThat(path).startsWith(endpoint + ":8080 (50 %)\n").doesNotContain(other);
                // From the ClusterIP over the element or chain that is drawn to the endpoint.
                assertThat(path.lines().skip(1)).allMatch(line -> line.startsWith(" ".repeat(16)));
                assertThat(path)
                        .containsPattern(
                                mode == ProxyMode.NFTABLES
                                        ? "service-ips: 10.96.0.10 . tcp . 80 .*\n(.*\n)*.*, service-ips-2: 10.96.0.10 . tcp . 80\n.*"
                                                + ", endpoints: 10.96.0.10 . tcp . 80 . " + i + " : " + endpoint
                                                + " . 8080\n"
                                        : "-A KUBE-SERVICES .*-j (KUBE-SVC-\\S+)\n(.*\n)*.*-A \\1 .*-j (KUBE-SEP-\\S+)\n(.*\n)*"
                                                + ".*-A \\3 .*--to-destination " + endpoint + ":8080\n");
            }
            String json = JsonPrint.indented(
                    ExplanationJson.of(node.daemon().explainer().explain(asked("192.0.2.1", "10.96.0.10:80"))));
            assertThat(json)
                    .containsPattern(
                            "\"paths\" : \\[ ?\\{?\\s*\\{?\\s*\"fate\" : \"forwarded\",\\s+\"to\" : \"10.244.0.5:8080\"")
                    .contains("\"probability\" : 0.5");

            ExplainRequest request = asked("192.0.2.1", "10.96.0.10:80");
            assertThat(new ServiceCases(
                                    List.of(new ServiceCases.Explained(
                                            new ServiceCases.Case("outside", "cluster IP", request),
                                            node.daemon().explainer().explain(request))),
                                    0)
                            .text())
                    .endsWith("\nThe rules in the kernel that do it, for one packet:"
                            + " dualstackd explain 192.0.2.1 10.96.0.10:80/tcp\n");

            node.put(
                    "slices.yaml",
                    slice(IntStream.rangeClosed(1, 12)
                            .mapToObj(i -> "{addresses: [10.244.2." + i + "]}")
                            .collect(Collectors.joining(", "))));
            RenumberedNode.eventually(() -> assertThat(kernelPart(explain(node, "192.0.2.1", "10.96.0.10:80")))
                    .contains(
                            "              to 10.244.2.10:8080 (8.3 %)\n",
                            "              to 10.244.2.7:8080 (8.3 %)\n",
                            "              … and 2 more ways (-o json shows all)\n")
                    .doesNotContain("10.244.2.8", "10.244.2.9"));
        }
    }

    private static String kernelPart(String text) {
        assertThat(text).contains(", does the same, by\n");
        String from = text.substring(text.indexOf("\nkernel ") + 1);
        int end = from.indexOf("\nhost ");
        return end < 0 ? from.substring(0, from.indexOf("\nnot seen")) + "\n" : from.substring(0, end + 1);
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void anAddressInUseStaysWithItsService(ProxyMode mode) throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, mode)) {
            shop(node);
            node.start("ipv4,ipv6");
            // Its name sorts earlier, and so does its file's.
            node.put("a.yaml", """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: athief, namespace: aaa}
                    spec:
                      clusterIP: 10.96.0.10
                      ports: [{name: same, port: 80}, {name: other, port: 81}]
                    """);
            node.put("b.yaml", """
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: athief-4, namespace: aaa, labels: {kubernetes.io/service-name: athief}}
                    addressType: IPv4
                    ports: [{name: same, port: 8080}, {name: other, port: 8081}]
                    endpoints: [{addresses: [10.244.0.66]}]
                    """);
            RenumberedNode.eventually(() -> assertThat(explain(node, "192.0.2.1", "10.96.0.10:81"))
                    .contains(
                            "service     aaa/athief:other, by its ClusterIP\n",
                            "10.244.0.66:8081",
                            ", does the same, by\n"));
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80"))
                    .contains("service     shop/web, by its ClusterIP\n", "10.244.0.5:8080", ", does the same, by\n")
                    .doesNotContain("10.244.0.66");
            assertThat(node.daemon().source().problems().toString())
                    .contains("10.96.0.10:80/tcp belongs to Service shop/web at web.yaml:1 (document 1), which had it"
                            + " first and answers; Service aaa/athief does not get it");

            Files.delete(folder.resolve("web.yaml"));
            RenumberedNode.eventually(() -> assertThat(explain(node, "192.0.2.1", "10.96.0.10:80"))
                    .contains(
                            "service     aaa/athief:same, by its ClusterIP\n",
                            "10.244.0.66:8080",
                            ", does the same, by\n"));
            assertThat(node.daemon().source().problems()).isEmpty();
        }
    }

    /** Pods on the host network, and the daemon's own DNS. */
    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void whatEndsOnThisNodeIsNotMasqueraded(ProxyMode mode) throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, mode)) {
            node.add(node.cable("eth0"), "10.0.0.1/24");
            node.route("10.0.0.254", 100);
            node.put("here.yaml", """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: here, namespace: shop}
                    spec:
                      type: NodePort
                      clusterIP: 10.96.0.12
                      ports: [{port: 80, nodePort: 30080}]
                    """);
            node.put("slices.yaml", """
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: here-4, namespace: shop, labels: {kubernetes.io/service-name: here}}
                    addressType: IPv4
                    ports: [{port: 8080}]
                    endpoints: [{addresses: [10.0.0.1]}]
                    """);
            node.start("ipv4,ipv6");
            node.becomes("10.0.0.1");
            RenumberedNode.eventually(() -> assertThat(explain(node, "192.0.2.1", "10.0.0.1:30080"))
                    .contains(
                            "              10.0.0.1:8080\n",
                            "10.0.0.1:8080 is this node itself, and sees 192.0.2.1: ",
                            ", does the same, by\n"));
            assertThat(explain(node, "10.0.0.1", "10.96.0.12:80")).contains(", does the same, by\n");
            // A socket of this node needs a route to the address before anything translates it.
            node.commands.run("ip", "route", "del", "default");
            assertThat(explain(node, "10.0.0.1", "10.96.0.12:80"))
                    .contains("host        DROPS it\n", "route to 10.96.0.12: DROPS it");
        }
    }

    @Test
    void readsLegacyTablesInLegacyVariant() throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.IPTABLES)) {
            node.keepsRulesIn(IptablesVariant.LEGACY);
            shop(node);
            node.start("ipv4,ipv6");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80"))
                    .contains("kernel      iptables, does the same, by\n")
                    .contains("-A KUBE-SERVICES");
            // Until it is asked before the daemon has put it right again.
            RenumberedNode.eventually(() -> {
                node.commands.run(
                        "env",
                        "XTABLES_LOCKFILE=" + folder.resolve("lock"),
                        "iptables-legacy",
                        "-t",
                        "nat",
                        "-F",
                        "KUBE-SERVICES");
                assertThat(explain(node, "192.0.2.1", "10.96.0.10:80"))
                        .contains("the chain nat KUBE-SERVICES lacks a rule in the kernel");
            });
        }
    }

    private static void shop(RenumberedNode node) throws Exception {
        node.put("web.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: shop}
                spec:
                  ipFamilyPolicy: RequireDualStack
                  clusterIP: 10.96.0.10
                  clusterIPs: [10.96.0.10, "fd00:10:96::10"]
                  ipFamilies: [IPv4, IPv6]
                  ports: [{port: 80}]
                """);
        node.put("slices.yaml", slice("{addresses: [10.244.0.5]}, {addresses: [10.244.1.6]}"));
    }

    private static String slice(String endpoints) {
        return """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{port: 8080}]
                endpoints: [%s]
                """.formatted(endpoints);
    }

    private static String explain(RenumberedNode node, String from, String to) {
        return ExplanationText.of(node.daemon().explainer().explain(asked(from, to)));
    }

    private static ExplainRequest asked(String from, String to) {
        return ExplainRequest.parse(from, to, "");
    }
}
