package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.io.ClusterSource;
import io.dualstackd.kubeapi.client.io.TestApiServer;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventAggregator;
import io.dualstackd.node.report.io.EventReporter;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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

    private final List<String> warnings = new CopyOnWriteArrayList<>();

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
        sent("ending");
        assertThat(warnings).isEmpty();
    }

    @Test
    void aMissingRightIsLogged() throws IOException {
        sent("closed");
        assertThat(warnings).singleElement().asString().contains("give this node the right to create and patch events");
    }

    /** Sends an event in this namespace, and ends while the answer to one after it is awaited. */
    private void sent(String namespace) throws IOException {
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                    warnings.add(logged.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("events");
        logger.addHandler(handler);
        ClusterSettings settings = new ClusterSettings(Optional.empty(), Optional.empty(), WireFormat.JSON, 50, 50);
        try (TestApiServer server = TestApiServer.plain()) {
            server.others(RefusedEventsTest::answer);
            try (ClusterSource source = ClusterSource.start(
                            server.access(),
                            Credentials.NONE,
                            settings,
                            new ClusterSource.Wanted("n1", false),
                            new Store(),
                            ClusterSource.Callbacks.NONE,
                            ClusterSource.Network.system(),
                            Supervisor.none());
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
        } finally {
            logger.removeHandler(handler);
        }
    }
}
