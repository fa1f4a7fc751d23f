package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.Health;
import io.dualstackd.admin.StatusJson;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusText;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The status of a running daemon about files and slices that it does not use. */
@Tag("kernel")
final class UnusedStatusTest {
    @TempDir
    private Path folder;

    @Test
    void unusedObjectsAreMentionedAndNoProblem() throws Exception {
        Files.createDirectory(folder.resolve("old"));
        Files.createDirectory(folder.resolve("dir.yaml"));
        Files.createDirectory(folder.resolve("..2026_11_21"));
        Files.writeString(folder.resolve(".hidden.yaml"), "");
        Files.writeString(folder.resolve("web.yaml~"), "");
        Files.writeString(folder.resolve("notes\u001b[31m.txt"), "");
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES)) {
            for (int i = 1; i <= 7; i++) {
                node.put("lost" + i + ".yaml", """
                        apiVersion: discovery.k8s.io/v1
                        kind: EndpointSlice
                        metadata: {name: lost-%d, namespace: shop, labels: {kubernetes.io/service-name: lost}}
                        addressType: IPv4
                        ports: [{port: 8080}]
                        endpoints: [{addresses: [10.244.0.%d]}]
                        """.formatted(i, i));
            }
            node.start("ipv4,ipv6");
            StatusReport report = status(node);
            assertThat(StatusText.of(report)).endsWith("""

                    not used:
                      .hidden.yaml               a hidden file
                      dir.yaml/                  a sub-folder: only files directly in the folder are read
                      notes?[31m.txt             its name does not end with .yaml, .yml or .json
                      old/                       a sub-folder: only files directly in the folder are read
                      web.yaml~                  an editor's or a package manager's copy
                      EndpointSlice shop/lost-1  there is no Service shop/lost in force
                      EndpointSlice shop/lost-2  there is no Service shop/lost in force
                      EndpointSlice shop/lost-3  there is no Service shop/lost in force
                      EndpointSlice shop/lost-4  there is no Service shop/lost in force
                      EndpointSlice shop/lost-5  there is no Service shop/lost in force
                      and 2 more
                    """);
            assertThat(JsonPrint.indented(StatusJson.of(report)))
                    .contains("\"unusedMore\" : 2")
                    .containsPattern(
                            "\"name\" : \"web.yaml~\",\\s+\"reason\" : \"an editor's or a package manager's copy\"");
            assertThat(report.problems()).isEmpty();
            assertThat(report.health().reasons())
                    .extracting(Health.Reason::text)
                    .noneMatch(text -> text.contains("lost") || text.contains("refused"));

            node.put("lost.yaml", """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: lost, namespace: shop}
                    spec: {clusterIP: 10.96.0.44, ports: [{port: 80}]}
                    """);
            Files.delete(folder.resolve("old"));
            Files.writeString(folder.resolve("web.bak"), "");
            RenumberedNode.eventually(() -> assertThat(StatusText.of(status(node)))
                    .contains("  web.bak         an editor's or a package manager's copy\n")
                    .doesNotContain("old/", "EndpointSlice", "more"));
        }
    }

    private static StatusReport status(RenumberedNode node) {
        return new StatusReports("1", node.settings(NodeIps.DEFAULT, NodePortAddresses.PRIMARY), Instant.now())
                .of(node.daemon(), List.of(), Optional.empty());
    }
}
