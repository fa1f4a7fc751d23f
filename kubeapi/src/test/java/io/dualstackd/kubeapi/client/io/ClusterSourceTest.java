package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the server does: in the end the store is equal to it, and before the end nothing is forgotten. */
@Tag("slow")
final class ClusterSourceTest {

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void readsEverythingThenFollows(WireFormat format) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 30);
                TestCluster cluster = TestCluster.of(server).format(format).start()) {
            cluster.awaitEqual();

            server.put(TestCluster.service(31));
            server.put(TestCluster.slice(31, 3));
            server.put(TestCluster.slice(5, 9));
            server.delete(TestCluster.slice(6, 1).key());
            server.delete(TestCluster.service(7).key());
            cluster.awaitEqual();
            assertThat(server.requests(line -> line.contains("sendInitialEvents")))
                    .hasSize(4);
        }
    }

    @Test
    void asksForWhatAProxyNeeds() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1);
                TestCluster cluster = TestCluster.of(server).start()) {
            cluster.awaitEqual();

            assertThat(server.requests(line -> true))
                    .extracting(request -> String.valueOf(request.getUrl().queryParameter("labelSelector")) + " "
                            + request.getUrl().queryParameter("fieldSelector"))
                    .containsExactlyInAnyOrder(
                            "!service.kubernetes.io/service-proxy-name spec.clusterIP!=None",
                            "!service.kubernetes.io/headless null",
                            "null metadata.name=n1",
                            "null null");
        }
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void listsInPagesWhereThereIsNoStream(WireFormat format) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 30)) {
            server.faults.streaming = false;
            server.faults.page = 7;
            try (TestCluster cluster = TestCluster.of(server).format(format).start()) {
                cluster.awaitEqual();

                assertThat(server.requests(line ->
                                line.contains("/services?") && line.contains("limit=500") && line.contains("continue")))
                        .hasSize(4);
                server.put(TestCluster.slice(3, 4));
                cluster.awaitEqual();
            }
        }
    }

    @Test
    void anExpiredTokenMakesItListInOnePiece() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 30)) {
            server.faults.streaming = false;
            server.faults.page = 7;
            server.faults.tokensExpire = true;
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();

                assertThat(server.requests(line ->
                                line.contains("/services?") && !line.contains("watch") && !line.contains("limit")))
                        .hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100})
    void piecesMayBeAsSmallAsTheyLike(int bytes) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.pieces = bytes;
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aForgottenVersionMakesItListAgain(boolean streaming) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 10)) {
            server.faults.streaming = streaming;
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                server.stop();
                server.delete(TestCluster.service(1).key());
                server.delete(TestCluster.slice(2, 1).key());
                server.put(TestCluster.slice(3, 8));
                server.objects.compact();
                server.start();

                cluster.awaitEqual();
                assertThat(cluster.followed("services").lists()).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void anErrorInTheStreamMakesItListAgain(WireFormat format) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 10);
                TestCluster cluster = TestCluster.of(server).format(format).start()) {
            cluster.awaitEqual();
            server.faults.expireWatches(4);

            await().until(() -> cluster.source().status().resources().stream()
                            .mapToLong(ClusterStatus.Followed::lists)
                            .sum()
                    >= 6);
            server.put(TestCluster.slice(3, 8));
            cluster.awaitEqual();
        }
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void halfAnEventCountsAsNone(WireFormat format) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 10)) {
            server.faults.cutInTheMiddle(3);
            try (TestCluster cluster = TestCluster.of(server).format(format).start()) {
                cluster.awaitEqual();
                server.faults.cutInTheMiddle(2);
                server.put(TestCluster.slice(3, 8));
                server.put(TestCluster.service(11));
                cluster.awaitEqual();
            }
        }
    }

    /** Waits add up to half a minute while a server is away; the first reflector that succeeds wakes the others. */
    @ParameterizedTest
    @ValueSource(ints = {401, 502, 503, 504})
    void oneResponseWakesWaitingReflectors(int code) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.answer(
                    request -> request.getUrl().encodedPath().endsWith("/endpointslices"),
                    TestApiServer.refused(ApiStatus.of(code)),
                    2);
            try (TestCluster cluster =
                    TestCluster.of(server).retries(Duration.ofHours(1)).start()) {
                // A watch that has delivered something is started again at once when it ends, and a watch that begins
                // is an
                // answer.
                AtomicInteger number = new AtomicInteger(3);
                await().until(() -> {
                    Service one = TestCluster.service(number.incrementAndGet());
                    server.put(one);
                    await().until(() -> cluster.store().has(one));
                    server.faults.endWatches(1);
                    // Else the watch that follows could end, too, before it has delivered anything.
                    await().until(server.faults::watchesHaveEnded);
                    return cluster.followed("endpointslices.discovery.k8s.io").synced();
                });

                cluster.awaitEqual();
            }
        }
    }

    /** As after the server's data was restored, or through a load balancer with servers that do not share it: no retry helps. */
    @ParameterizedTest
    @ValueSource(ints = {400, 500, 504})
    void aPageThatIsAlwaysRefusedIsNotAskedForForEver(int code) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 20)) {
            server.faults.streaming = false;
            server.faults.page = 7;
            server.faults.answer(
                    request -> request.getTarget().contains("continue="), TestApiServer.refused(ApiStatus.of(code)));
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
            }
        }
    }

    @Test
    void watchesAreResumedWhereTheyEnded() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 10);
                TestCluster cluster = TestCluster.of(server).start()) {
            cluster.awaitEqual();
            server.put(TestCluster.slice(3, 8));
            cluster.awaitEqual();
            server.faults.cutWatches();
            server.put(TestCluster.slice(4, 8));
            cluster.awaitEqual();
            server.faults.endWatches(4);
            await().until(() ->
                    server.requests(line -> line.contains("&resourceVersion=")).size() >= 8);
            server.put(TestCluster.slice(5, 8));

            cluster.awaitEqual();
            assertThat(cluster.source().status().resources())
                    .extracting(ClusterStatus.Followed::lists)
                    .containsOnly(1L);
        }
    }

    @Test
    void nothingChangesWhileTheServerIsAway() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 10);
                TestCluster cluster = TestCluster.of(server).start()) {
            cluster.awaitEqual();
            Store.Size before = cluster.store().size();
            server.stop();

            await().until(() -> cluster.source()
                    .status()
                    .failure()
                    .filter(resourceFailure -> resourceFailure.what().contains("nothing listens there"))
                    .isPresent());
            server.delete(TestCluster.service(1).key());
            assertThat(cluster.store().size()).isEqualTo(before);

            server.start();
            cluster.awaitEqual();
            await().until(() -> cluster.source().status().failure().isEmpty());
            assertThat(cluster.followed("services").lists()).isEqualTo(1);
        }
    }

    @Test
    void reconnectsToSilentServer() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            MockResponse never =
                    new MockResponse.Builder().headersDelay(1, TimeUnit.HOURS).build();
            server.faults.answer(request -> request.getTarget().contains("/services"), never);
            try (TestCluster cluster =
                    TestCluster.of(server).timeout(Duration.ofMillis(500)).start()) {
                await().until(() -> cluster.source()
                        .status()
                        .failure()
                        .filter(resourceFailure -> resourceFailure.what().contains("does not answer within"))
                        .isPresent());
                server.faults.end();
                cluster.awaitEqual();
            }
        }
    }

    @Test
    void nothingIsDoneBeforeTheServerIsThere() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.stop();
            try (TestCluster cluster = TestCluster.of(server).start()) {
                await().until(() -> cluster.source().status().failure().isPresent());
                assertThat(cluster.store().isSynced()).isFalse();
                server.start();
                cluster.awaitEqual();
            }
        }
    }

    @Test
    void nothingIsCompleteBeforeEverythingIs() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.answer(
                    request -> request.getTarget().contains("endpointslices"),
                    TestApiServer.refused(ApiStatus.of(500)));
            try (TestCluster cluster = TestCluster.of(server).start()) {
                await().until(() -> cluster.followed("services").synced());
                assertThat(cluster.store().isSynced()).isFalse();
                server.faults.end();
                cluster.awaitEqual();
            }
        }
    }

    @Test
    void aServerWithoutServiceCidrsHasNone() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.delete(TestCluster.CIDR.key());
            server.faults.answer(
                    request -> request.getTarget().contains("servicecidrs"),
                    TestApiServer.refused(ApiStatus.of(404)),
                    99);
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                assertThat(cluster.followed("servicecidrs.networking.k8s.io").absent())
                        .isTrue();
            }
        }
    }

    @Test
    void aBusyServerIsLeftAloneAsLongAsItWants() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            MockResponse busy = TestApiServer.refused(new ApiStatus(429, "TooManyRequests", "later", OptionalInt.of(1)))
                    .newBuilder()
                    .setHeader("Retry-After", "1")
                    .build();
            server.faults.answer(request -> request.getTarget().contains("/services"), busy, 1);
            long begun = System.nanoTime();
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
            }
        }
    }

    /** As a server answers that is not ready, or one that sheds load; another watch of it may be accepted all the same. */
    @Test
    void anotherResponseDoesNotShortenTheTimeThatTheServerWants() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.answer(
                    request -> request.getUrl().encodedPath().endsWith("/endpointslices"),
                    TestApiServer.refused(new ApiStatus(503, "ServiceUnavailable", "later", OptionalInt.of(3600))));
            try (TestCluster cluster = TestCluster.of(server).start()) {
                await().until(() -> !server.requests(line -> line.contains("/endpointslices?"))
                        .isEmpty());
                Predicate<String> others = line -> line.contains("watch=true") && !line.contains("/endpointslices?");
                for (int number = 4; number < 8; number++) {
                    Service one = TestCluster.service(number);
                    server.put(one);
                    await().until(() -> cluster.store().has(one));
                    int watches = server.requests(others).size();
                    server.faults.endWatches(1);
                    await().until(() -> server.requests(others).size() > watches);
                }
                assertThat(server.requests(line -> line.contains("/endpointslices?")))
                        .hasSize(1);
            }
        }
    }

    @Test
    void fallsBackToJson() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.answer(
                    request ->
                            String.valueOf(request.getHeaders().get("Accept")).contains("protobuf"),
                    TestApiServer.refused(ApiStatus.of(406)),
                    99);
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                assertThat(cluster.followed("services").format()).isEqualTo(WireFormat.JSON);
            }
        }
    }

    @Test
    void aTokenThatRanOutIsReadAgain() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.token("first");
            TestCredentials credentials = new TestCredentials("first");
            try (TestCluster cluster =
                    TestCluster.of(server).credentials(credentials).start()) {
                cluster.awaitEqual();
                server.faults.token("second");
                credentials.onRefusal("second");
                server.faults.cutWatches();
                await().until(() -> credentials.refusals() > 0);
                server.put(TestCluster.slice(2, 5));

                cluster.awaitEqual();
            }
        }
    }

    /** All four reflectors are rejected at the same time, and a plugin must not run four times for that. */
    @Test
    void credentialsThatSeveralRequestsUsedAreDroppedOnce() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.token("second");
            TestCredentials credentials = new TestCredentials("first");
            credentials.onRefusal("second");
            try (TestCluster cluster =
                    TestCluster.of(server).credentials(credentials).start()) {
                cluster.awaitEqual();
                assertThat(credentials.refusals()).isEqualTo(1);
            }
        }
    }

    @Test
    void reportsForbiddenResource() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.answer(
                    request -> request.getTarget().contains("endpointslices"),
                    TestApiServer.refused(new ApiStatus(403, "Forbidden", "User \"x\" cannot", OptionalInt.empty())));
            try (TestCluster cluster = TestCluster.of(server).start()) {
                await().until(() -> cluster.source().status().failure().isPresent());
                server.faults.end();
                cluster.awaitEqual();
            }
        }
    }

    /** As servers with an etcd before 3.4.31 or 3.5.13 answer, of any version. */
    @Test
    void aServerWhoseStoreCannotStreamIsListed() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.answer(
                    request -> request.getTarget().contains("sendInitialEvents"),
                    TestApiServer.refused(new ApiStatus(
                            500,
                            "InternalError",
                            "the required storage feature RequestWatchProgress is disabled",
                            OptionalInt.empty())),
                    99);
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                await().until(() -> cluster.source().status().failure().isEmpty());
                server.put(TestCluster.slice(2, 5));
                cluster.awaitEqual();
            }
        }
    }

    /** As 1.20 and later answer: no streams, no selector for ClusterIPs, and a role that does not name what is not there. */
    @Test
    void anOldServerIsUnderstood() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.delete(TestCluster.CIDR.key());
            server.faults.answer(
                    request -> request.getTarget().contains("sendInitialEvents"),
                    TestApiServer.refused(ApiStatus.of(422)),
                    99);
            server.faults.answer(
                    request -> request.getTarget().contains("spec.clusterIP"),
                    TestApiServer.refused(ApiStatus.of(400)),
                    99);
            server.faults.answer(
                    request -> request.getTarget().contains("servicecidrs"),
                    TestApiServer.refused(ApiStatus.of(403)),
                    99);
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                await().until(() -> cluster.source().status().failure().isEmpty());
                server.put(TestCluster.slice(2, 5));
                cluster.awaitEqual();
            }
        }
    }

    /** As after a server's start, before it has loaded its roles: that it forbids ServiceCIDRs, too, does not mean that there are none. */
    @Test
    void forbiddenListsRemoveNothing() {
        removesNothing(TestApiServer.refused(ApiStatus.of(403)));
    }

    /** As a load balancer without a server answers any request. */
    @Test
    void listsThatAreNotFoundRemoveNothing() {
        removesNothing(new MockResponse.Builder()
                .code(404)
                .setHeader("Content-Type", "text/html")
                .body("<html>404 Not Found</html>")
                .build());
    }

    /** @param refusal first the answer to each request */
    private static void removesNothing(MockResponse refusal) {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            AtomicBoolean starting = new AtomicBoolean(true);
            AtomicInteger refused = new AtomicInteger();
            server.faults.answer(
                    request -> {
                        boolean cidrs = request.getTarget().contains("servicecidrs");
                        refused.addAndGet(cidrs && starting.get() ? 1 : 0);
                        return starting.get();
                    },
                    refusal,
                    99);
            try (TestCluster cluster = TestCluster.of(server).start()) {
                await().until(() -> refused.get() > 1);
                assertThat(cluster.source().synced()).isFalse();
                starting.set(false);
                cluster.awaitEqual();
                assertThat(cluster.source().status().failure()).isEmpty();
            }
        }
    }

    @Test
    void closingLeavesTheStoreAsItIs() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            TestCluster cluster = TestCluster.of(server).start();
            cluster.awaitEqual();
            cluster.close();
            assertThat(cluster.store().isSynced()).isTrue();
            assertThat(cluster.store().size().services()).isEqualTo(3);
        }
    }
}
