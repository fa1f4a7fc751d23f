package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.log.CapturedLog;
import io.dualstackd.kubeapi.client.io.ClusterSource;
import io.dualstackd.kubeapi.client.io.TestApiServer;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventAggregator;
import io.dualstackd.node.report.io.EventReporter;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;

/** What is logged about events that the API server refuses. */
final class RefusedEventsTest {
    private static final String FORBIDDEN = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
            + "\"message\":\"events.events.k8s.io \\\"web.1\\\" is forbidden: %s\",\"reason\":\"Forbidden\","
            + "\"details\":{\"name\":\"web.1\",\"group\":\"events.k8s.io\",\"kind\":\"events\"%s},\"code\":403}";
    private static final String TERMINATING = FORBIDDEN.formatted(
            "unable to create new content in namespace ending because it is being terminated",
            ",\"causes\":[{\"reason\":\"NamespaceTerminating\",\"message\":\"namespace ending is being terminated\","
                    + "\"field\":\"metadata.namespace\"}]");
    private static final String NO_RIGHT = FORBIDDEN.formatted("User \\\"x\\\" cannot create resource", "");

    private static MockResponse answer(RecordedRequest request) {
        MockResponse.Builder answer = new MockResponse.Builder();
        if (request.getTarget().contains("/default/")) {
            // The daemon ends meanwhile, which is no failure.
            return answer.headersDelay(1, TimeUnit.HOURS).build();
        }
        return answer.code(403)
                .addHeader("Content-Type", "application/json")
                .body(request.getTarget().contains("/ending/") ? TERMINATING : NO_RIGHT)
                .build();
    }

    /** Its Services lose their endpoints before it is gone, and no right is missing. */
    @Test
    void anEventInANamespaceThatIsBeingDeletedIsNotTakenForAMissingRight() throws IOException {
        assertThat(warningsAfter("ending")).isEmpty();
    }

    @Test
    void aMissingRightIsLogged() throws IOException {
        assertThat(warningsAfter("closed"))
                .singleElement()
                .asString()
                .contains("give this node the right to create and patch events");
    }

    /** Sends an event in this namespace, and ends while the answer to one after it is awaited. */
    private static List<String> warningsAfter(String namespace) throws IOException {
        try (CapturedLog warnings = new CapturedLog("events", Level.WARNING);
                TestApiServer server = TestApiServer.plain()) {
            server.others(RefusedEventsTest::answer);
            try (ClusterSource source = server.source(WireFormat.JSON);
                    EventReporter events = EventReporter.start(
                            source.calls(), new EventAggregator("kube-proxy", "kube-proxy-n1"), Supervisor.none())) {
                events.happened(ClusterEvent.noEndpoints(namespace, "web", IpFamily.IPV4, "port 80"));
                events.happened(ClusterEvent.starting("n1"));
                await().untilAsserted(() -> assertThat(server.requests(line -> line.startsWith("POST ")))
                        .extracting(RecordedRequest::getTarget)
                        .containsExactly(
                                "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events",
                                "/apis/events.k8s.io/v1/namespaces/default/events"));
            }
            return warnings.messages();
        }
    }
}
