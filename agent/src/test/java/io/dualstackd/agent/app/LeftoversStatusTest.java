package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusText;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The status of a running daemon while rules of another proxy stay that it is not allowed to remove. */
@Tag("kernel")
final class LeftoversStatusTest {
    @TempDir
    private Path folder;

    @Test
    void whatCannotBeRemovedIsMentioned() throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.NFTABLES);
                NftClient owner = NftClient.open(node.ns)) {
            NftBatch batch = NftBatch.begin();
            batch.add(new NftTable(new TableName(NftFamily.IP6, "kube-proxy"), NftTable.OWNER, 0, 0, Bytes.EMPTY));
            assertThat(owner.apply(batch)).isInstanceOf(NftOutcome.Applied.class);
            node.start("ipv4,ipv6");
            RenumberedNode.eventually(() -> {
                StatusReport report = new StatusReports(
                                "1", node.settings(NodeIps.DEFAULT, NodePortAddresses.PRIMARY), Instant.now())
                        .of(node.daemon(), List.of("another note"), Optional.empty());
                assertThat(StatusText.of(report))
                        .contains("host       another note")
                        .contains("host       what another mode left in IPv6 could not be removed and is tried again: ")
                        .doesNotContain("left in IPv4");
            });
        }
    }

    /** The kernel refuses to delete it, and what goes there is no longer served. */
    @Test
    void anEmptyChainOfOursThatAnotherProgramJumpsToIsMentioned() throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.IPTABLES)) {
            node.put("gone.yaml", """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: gone, namespace: shop}
                    spec: {clusterIP: 10.96.0.11, clusterIPs: [10.96.0.11], ipFamilies: [IPv4], ports: [{port: 80}]}
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: gone-1, namespace: shop, labels: {kubernetes.io/service-name: gone}}
                    addressType: IPv4
                    ports: [{port: 8080}]
                    endpoints: [{addresses: [10.0.1.1]}]
                    """);
            node.start("ipv4,ipv6");
            String chain = node.commands
                    .ruleset()
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("chain KUBE-SVC-"))
                    .map(line -> line.substring("chain ".length(), line.indexOf(" {")))
                    .findFirst()
                    .orElseThrow();
            node.commands.run("nft", "add rule ip nat PREROUTING tcp dport 7 jump " + chain);
            Files.delete(folder.resolve("gone.yaml"));
            RenumberedNode.eventually(() -> {
                StatusReport report = new StatusReports(
                                "1", node.settings(NodeIps.DEFAULT, NodePortAddresses.PRIMARY), Instant.now())
                        .of(node.daemon(), List.of(), Optional.empty());
                assertThat(StatusText.of(report))
                        .contains(
                                "host       chain nat " + chain + " of IPv4 serves nothing any more and stays empty: ")
                        .doesNotContain("of IPv6 serves nothing");
            });
        }
    }
}
