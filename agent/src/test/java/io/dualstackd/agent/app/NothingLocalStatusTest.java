package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusText;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The status of a running daemon when policies leave one family without an endpoint on this node. */
@Tag("kernel")
final class NothingLocalStatusTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void portsThatDropWhatComesHereAreCountedByFamily(ProxyMode mode) throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, mode)) {
            node.put("near.yaml", """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: near, namespace: shop}
                    spec:
                      type: NodePort
                      clusterIP: 10.96.0.20
                      clusterIPs: [10.96.0.20, "fd00:10:96::20"]
                      ipFamilies: [IPv4, IPv6]
                      externalTrafficPolicy: Local
                      internalTrafficPolicy: Local
                      ports: [{port: 80, nodePort: 30020}]
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: near-4, namespace: shop, labels: {kubernetes.io/service-name: near}}
                    addressType: IPv4
                    ports: [{port: 8080}]
                    endpoints: [{addresses: [10.244.0.5], nodeName: n.invalid}]
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: near-6, namespace: shop, labels: {kubernetes.io/service-name: near}}
                    addressType: IPv6
                    ports: [{port: 8080}]
                    endpoints: [{addresses: ["fd00:244::5"], nodeName: other}]
                    """);
            node.start("ipv4,ipv6");
            RenumberedNode.eventually(() -> {
                StatusReport report = new StatusReports(
                                "1", node.settings(NodeIps.DEFAULT, NodePortAddresses.PRIMARY), Instant.now())
                        .of(node.daemon(), List.of(), Optional.empty());
                assertThat(report.families())
                        .extracting(family -> family.objects().withoutLocal())
                        .containsExactly(WithoutLocal.NONE, new WithoutLocal(1, 1));
                assertThat(StatusText.of(report))
                        .contains("IPv6 nothing local here: 1 ClusterIP port and 1 external port drop")
                        .doesNotContain("IPv4 nothing local here");
            });
        }
    }
}
