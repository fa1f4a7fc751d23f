package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.forward.ForwardSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The comparison sees what differs, and only that. */
final class CompareServersTest {
    private static DnsServer server() throws IOException {
        DnsServer server = DnsServer.open(
                ServerSettings.defaults(
                        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        SampleCluster.settings(),
                        ForwardSettings.defaults(List.of())),
                DnsSupervision.NONE);
        server.apply(SampleCluster.change());
        assertThat(server.figures().join().services()).isPositive();
        return server;
    }

    @Test
    void differences() throws IOException {
        assertThat(CompareServers.questions()).hasSizeGreaterThan(300);
        try (DnsServer one = server();
                DnsServer other = server()) {
            InetSocketAddress first = one.addresses().getFirst();
            InetSocketAddress second = other.addresses().getFirst();
            assertThat(CompareServers.differences(first, second)).isEmpty();
            other.apply(SampleCluster.change(
                    false,
                    SampleCluster.clusterIp("default", "v4", List.of("10.96.0.12"), SampleCluster.port("", 80))));
            assertThat(other.figures().join().services()).isPositive();
            assertThat(CompareServers.differences(first, second))
                    .containsExactly(
                            "v4.default.svc.cluster.local A\n  [, v4.default.svc.cluster.local. 5 A 10.96.0.11]\n  [, v4.default.svc.cluster.local. 5 A 10.96.0.12]");
        }
    }

    @Test
    void manifestsHaveEveryKind() {
        assertThat(SampleManifests.text())
                .contains(
                        "spec: {clusterIP: \"10.96.0.10\", clusterIPs: [\"10.96.0.10\", \"fd00:96::10\"], ipFamilyPolicy: RequireDualStack",
                        "spec: {clusterIP: None, publishNotReadyAddresses: true",
                        "spec: {type: ExternalName, externalName: www.example.com",
                        "{addresses: [\"10.244.0.3\"], conditions: {ready: false}, hostname: db-2}");
    }
}
