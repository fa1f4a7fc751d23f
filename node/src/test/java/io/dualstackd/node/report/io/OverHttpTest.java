package io.dualstackd.node.report.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.client.io.ClusterSource;
import io.dualstackd.kubeapi.client.io.TestApiServer;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.report.AddressManagement;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventAggregator;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;

/** The same with a server on the other side of a socket. */
final class OverHttpTest {
    private static final String NODE = "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n1\","
            + "\"resourceVersion\":\"7\"},\"status\":{}}";

    private static MockResponse answer(RecordedRequest request) {
        boolean read = request.getMethod().equals("GET");
        return new MockResponse.Builder()
                .code(read ? 200 : 201)
                .addHeader("Content-Type", "application/json")
                .body(read ? NODE : "{}")
                .build();
    }

    @Test
    void writesAddressAndEvent() throws IOException {
        AddressChoice host = new AddressChoice.Found(
                NodeAddresses.of(List.of(NodeAddress.internal(Ip.parse("fd00::1")))), AddressChoice.Source.HOST);
        try (TestApiServer server = TestApiServer.plain()) {
            server.others(OverHttpTest::answer);
            try (ClusterSource source = server.source(WireFormat.PROTOBUF);
                    EventReporter events = EventReporter.start(
                            source.calls(), new EventAggregator("kube-proxy", "kube-proxy-n1"), Supervisor.none());
                    NodeReporter node = NodeReporter.start(
                            source.calls(),
                            new NodeReporter.Wanted(
                                    "n1",
                                    AddressManagement.PROVIDE,
                                    Optional::empty,
                                    () -> host,
                                    () -> Host.EMPTY,
                                    "h"),
                            events::happened,
                            Supervisor.none())) {
                events.happened(ClusterEvent.starting("n1"));
                await().untilAsserted(() -> assertThat(server.requests(line -> line.startsWith("POST ")))
                        .hasSize(2));

                RecordedRequest patch =
                        server.requests(line -> line.startsWith("PATCH ")).getFirst();
                assertThat(patch.getTarget()).isEqualTo("/api/v1/nodes/n1/status");
                assertThat(patch.getHeaders().get("Content-Type")).startsWith("application/merge-patch+json");
                assertThat(server.requests(line -> line.startsWith("POST ")))
                        .allSatisfy(post -> assertThat(post.getTarget())
                                .isEqualTo("/apis/events.k8s.io/v1/namespaces/default/events"))
                        .anySatisfy(post -> assertThat(
                                        Objects.requireNonNull(post.getBody()).utf8())
                                .contains("addresses are now InternalIP fd00::1, Hostname h"));
                assertThat(node.problem()).isEmpty();
            }
        }
    }
}
