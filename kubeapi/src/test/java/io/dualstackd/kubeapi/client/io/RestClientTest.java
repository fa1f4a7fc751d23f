package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.wire.ApiStatus;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;

/** Single questions. */
final class RestClientTest {

    @Test
    void patchesAndPosts() {
        AtomicReference<RecordedRequest> last = new AtomicReference<>();
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1)) {
            server.others(request -> {
                last.set(request);
                return new MockResponse.Builder().body("{\"done\":\"ü\"}").build();
            });
            try (TestCluster cluster =
                    TestCluster.of(server).credentials(new TestCredentials("t")).start()) {
                RestClient calls = cluster.source().calls();

                assertThat(calls.patch(
                                "/api/v1/nodes/n1/status", "application/strategic-merge-patch+json", "{\"a\":\"ä\"}"))
                        .isEqualTo(new Reply.Done(200, "{\"done\":\"ü\"}"));
                assertThat(last.get().getMethod()).isEqualTo("PATCH");
                assertThat(Objects.requireNonNull(last.get().getBody()).utf8()).isEqualTo("{\"a\":\"ä\"}");
                assertThat(last.get().getHeaders().get("Content-Type"))
                        .isEqualTo("application/strategic-merge-patch+json");
                assertThat(last.get().getHeaders().get("Authorization")).isEqualTo("Bearer t");

                assertThat(calls.post("/api/v1/namespaces/default/events", "{}"))
                        .isEqualTo(new Reply.Done(200, "{\"done\":\"ü\"}"));
                assertThat(calls.get("/version")).isInstanceOf(Reply.Done.class);
                // One connection for all of them.
                assertThat(server.requests(line -> line.contains("/version"))
                                .getFirst()
                                .getExchangeIndex())
                        .isEqualTo(2);
            }
        }
    }

    /** As many pods as the largest nodes have, with as much text as the API server keeps of each. */
    @Test
    void readsTheListOfAFullNode() {
        String pods = "x".repeat(250 * 20_000);
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1)) {
            server.others(request -> new MockResponse.Builder().body(pods).build());
            try (TestCluster cluster = TestCluster.of(server).start()) {
                assertThat(cluster.source().calls().get("/api/v1/pods")).isEqualTo(new Reply.Done(200, pods));
            }
        }
    }

    @Test
    void refusalsSayWhy() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1)) {
            ApiStatus forbidden = new ApiStatus(403, "Forbidden", "you may not", OptionalInt.empty());
            server.others(request -> TestApiServer.refused(forbidden));
            try (TestCluster cluster = TestCluster.of(server).start()) {
                assertThat(cluster.source().calls().get("/api/v1/x")).isEqualTo(new Reply.Refused(forbidden));
            }
        }
    }

    @Test
    void aTokenThatRanOutIsReadAgainOnce() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1)) {
            server.others(request -> new MockResponse.Builder().body("{}").build());
            server.faults.token("new");
            TestCredentials credentials = new TestCredentials("old");
            credentials.onRefusal("new");
            try (TestCluster cluster =
                    TestCluster.of(server).credentials(credentials).start()) {
                assertThat(cluster.source().calls().get("/version")).isInstanceOf(Reply.Done.class);
            }
        }
    }

    @Test
    void eachRequestIsCountedAndMeasured() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1)) {
            ApiStatus forbidden = new ApiStatus(403, "Forbidden", "you may not", OptionalInt.empty());
            server.others(request -> TestApiServer.refused(forbidden));
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                // Watches have begun, and do not end: no duration of theirs would mean anything.
                await().untilAsserted(() -> assertThat(cluster.fates()).contains("GET 200"));
                assertThat(cluster.source().calls().post("/api/v1/x", "{}")).isInstanceOf(Reply.Refused.class);
                assertThat(cluster.fates()).containsSubsequence("POST 403", "POST took");

                server.stop();
                await().untilAsserted(() -> assertThat(cluster.fates()).contains("GET -"));
            }
        }
    }

    @Test
    void connectionRefusedIsReported() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1)) {
            server.stop();
            try (TestCluster cluster = TestCluster.of(server).start()) {
                RestClient calls = cluster.source().calls();
                assertThat(calls.get("/version")).isInstanceOf(Reply.Failed.class);
                cluster.source().close();
                assertThat(calls.get("/version")).isInstanceOf(Reply.Failed.class);
            }
        }
    }
}
