package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.objects.ServiceDescription;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.standalone.ledger.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of a running daemon that reads manifests, has no ledger, and changes the kernel's rules. */
@Tag("kernel")
final class EventsWithoutClusterTest {
    @TempDir
    private Path folder;

    private RenumberedNode node;

    @BeforeEach
    void start() throws Exception {
        node = new RenumberedNode(folder, ProxyMode.NFTABLES);
        node.put("web-slice.yaml", slice("10.244.0.5"));
        node.start("ipv4,ipv6");
    }

    @AfterEach
    void end() {
        node.close();
    }

    private static String slice(String endpoints) {
        return """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{port: 8080}]
                endpoints: [%s]
                """.formatted(endpoints.isEmpty() ? "" : "{addresses: [" + endpoints + "]}");
    }

    private static String service(String name, String clusterIp, int nodePort) {
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: %s, namespace: shop}
                spec:
                  type: NodePort
                  clusterIP: %s
                  clusterIPs: [%s]
                  ipFamilies: [IPv4]
                  ports: [{port: 80, nodePort: %d}]
                """.formatted(name, clusterIp, clusterIp, nodePort);
    }

    private List<Event> kept() {
        return node.daemon().source().events().orElseThrow();
    }

    private List<String> events() {
        return kept().stream()
                .map(event -> event.type() + " " + event.reason() + " " + event.about() + " x" + event.count() + ": "
                        + event.message())
                .toList();
    }

    private void shows(String... events) {
        RenumberedNode.eventually(() -> assertThat(events()).containsExactly(events));
    }

    @Test
    void lastEndpointVanishesAndReturnsTwice() throws Exception {
        assertThat(events()).isEmpty();
        node.put("web-slice.yaml", slice(""));
        shows("Warning NoEndpoints Service shop/web x1: IPv4: no endpoint is left for 80/TCP: connections are refused");
        node.put("web-slice.yaml", slice("10.244.0.6"));
        shows(
                "Warning NoEndpoints Service shop/web x1: IPv4: no endpoint is left for 80/TCP: connections are refused",
                "Normal EndpointsAvailable Service shop/web x1: IPv4: 80/TCP can be reached again");
        node.put("web-slice.yaml", slice(""));
        shows(
                "Normal EndpointsAvailable Service shop/web x1: IPv4: 80/TCP can be reached again",
                "Warning NoEndpoints Service shop/web x2: IPv4: no endpoint is left for 80/TCP: connections are refused");
        assertThat(ServiceDescription.of(node.daemon().objects(), "shop", "web")
                        .orElseThrow()
                        .text())
                .containsPattern(
                        "  Warning +NoEndpoints +\\S+ \\(x2 over \\S+\\) +dualstackd +IPv4: no endpoint is left");
    }

    @Test
    void aNodePortThatTwoServicesName() throws Exception {
        node.put("b.yaml", service("b", "10.96.0.11", 30080));
        String lost = "Warning DestinationConflict Service shop/b x1: b.yaml:1 (document 1): node port 30080/tcp (IPv4)"
                + " belongs to Service shop/web at web.yaml:1 (document 1), which had it first and answers;"
                + " Service shop/b does not get it";
        shows(lost);
        Files.delete(folder.resolve("web.yaml"));
        shows(
                lost,
                "Normal DestinationGained Service shop/b x1: node port 30080/tcp (IPv4) no longer belongs to Service"
                        + " shop/web; Service shop/b answers now");
    }

    @Test
    void aDestinationThatIsGivenUpIsNotGained() throws Exception {
        node.put("b.yaml", service("b", "10.96.0.11", 30080));
        RenumberedNode.eventually(() -> assertThat(events()).hasSize(1));
        node.put("b.yaml", service("b", "10.96.0.11", 30081));
        node.put("c.yaml", service("c", "10.96.0.12", 99999));
        RenumberedNode.eventually(() ->
                assertThat(events()).anyMatch(event -> event.startsWith("Warning ManifestRefused Service shop/c")));
        assertThat(events()).noneMatch(event -> event.contains("DestinationGained"));
    }

    @Test
    void refusedTexts() throws Exception {
        node.put("b.yaml", service("b", "10.96.0.11", 99999));
        node.put("c.yaml", "kind: [");
        RenumberedNode.eventually(() -> assertThat(events())
                .anyMatch(
                        event -> event.startsWith(
                                "Warning ManifestRefused Service shop/b x1: b.yaml:9 (document 1): spec.ports[0].nodePort: \"99999\""))
                .anyMatch(event -> event.startsWith("Warning ManifestRefused Node n.invalid x1: c.yaml:1")));
        node.put("b.yaml", service("b", "10.96.0.11", 30081));
        RenumberedNode.eventually(() -> assertThat(events())
                .anyMatch(event -> event.startsWith("Normal ManifestRepaired Service shop/b x1: no longer: b.yaml:9")));
    }

    @Test
    void rulesThatOthersChange() throws Exception {
        for (int i = 1; i <= 2; i++) {
            int repairs = i;
            node.commands.run("nft", "flush chain ip dualstackd pick-endpoints");
            RenumberedNode.eventually(() -> assertThat(kept().stream()
                            .filter(event -> event.reason().equals("RulesRepaired"))
                            .mapToInt(Event::count)
                            .sum())
                    .isEqualTo(repairs));
        }
        // A process that has ended may no longer have a name; a change that is found by comparing everything has no
        // place.
        assertThat(events())
                .allMatch(event -> event.matches(
                        "Warning RulesRepaired Node n.invalid x[12]: IPv4: repaired rules( in ip dualstackd pick-endpoints)?,"
                                + " changed by (nft|another program)"))
                .anyMatch(event -> event.contains(" rules in ip dualstackd pick-endpoints, "));
    }
}
