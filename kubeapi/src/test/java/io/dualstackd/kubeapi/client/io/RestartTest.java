package io.dualstackd.kubeapi.client.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.wire.ApiStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process goes on where the former one ended, whatever the server did meanwhile. */
@Tag("slow")
final class RestartTest {
    private static final int SERVICES = 1200;

    @TempDir
    private Path state;

    private TestApiServer server;

    @BeforeEach
    void prepare() {
        server = TestCluster.filled(TestApiServer.plain(), SERVICES);
    }

    @AfterEach
    void end() {
        server.close();
    }

    private TestCluster start() {
        return TestCluster.of(server).snapshot(state).start();
    }

    private Path file() {
        return state.resolve("cluster.snapshot");
    }

    /** One process that reads everything and ends. */
    private void formerProcess() {
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();
        }
        assertThat(file()).exists();
        server.requests.clear();
    }

    private List<RecordedRequest> lists(String resource) {
        return server.requests(line ->
                line.contains(resource) && (line.contains("sendInitialEvents") || !line.contains("watch=true")));
    }

    private void assertNothingListed() {
        assertThat(lists("/services")).isEmpty();
        assertThat(lists("/endpointslices")).isEmpty();
    }

    @Test
    void nothingIsListedThatTheFormerProcessKnew() {
        formerProcess();
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();

            assertNothingListed();
            assertThat(lists("/nodes")).hasSize(1);
            assertThat(file()).doesNotExist();
            server.put(TestCluster.slice(5, 3));
            server.delete(TestCluster.service(6).key());
            cluster.awaitEqual();
        }
        assertThat(file()).exists();
    }

    @Test
    void whatHappenedMeanwhileArrives() {
        formerProcess();
        server.put(TestCluster.service(SERVICES + 1));
        server.put(TestCluster.slice(7, 4));
        server.delete(TestCluster.service(8).key());
        server.delete(TestCluster.slice(9, 1).key());
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();

            assertNothingListed();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatForgotTheVersionIsListed(boolean streaming) {
        formerProcess();
        server.faults.streaming = streaming;
        server.delete(TestCluster.service(8).key());
        server.put(TestCluster.slice(7, 4));
        server.objects.compact();
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();

            assertThat(lists("/services")).isNotEmpty();
            assertThat(cluster.store().size().services()).isEqualTo(SERVICES - 1);
        }
    }

    /** The cache of a resource that does not change, as nodes do not, may have a version of hours ago. */
    @Test
    void anOldCacheIsNotTakenForRestoredData() {
        formerProcess();
        server.faults.streaming = false;
        server.faults.cached = 1;
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();

            assertNothingListed();
        }
    }

    /** Its watch from a later version would be silent until it reaches that version again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerWhoseDataWasRestoredIsListed(boolean streaming) {
        formerProcess();
        server.faults.streaming = streaming;
        List<ApiObject> all = new ArrayList<>();
        server.objects.all(TestCluster.service(1).key().kind()).stream()
                .limit(10)
                .forEach(versioned -> all.add(versioned.object()));
        server.objects.restore(50, all);
        try (TestCluster cluster = start()) {
            await().until(cluster.store()::isSynced);
            // Not before everything was listed.
            assertThat(cluster.store().size().services()).isEqualTo(10);
            assertThat(cluster.store().size().slices()).isZero();
        }
    }

    @Test
    void whileTheServerIsAwayNothingCountsAsRead() {
        formerProcess();
        server.stop();
        try (TestCluster cluster = start()) {
            await().until(() -> cluster.store().size().services() == SERVICES
                    && cluster.source().status().failure().isPresent());
            assertThat(cluster.store().isSynced()).isFalse();
            assertThat(cluster.source().status().resources()).noneMatch(ClusterStatus.Followed::synced);

            server.delete(TestCluster.service(8).key());
            server.start();
            cluster.awaitEqual();
            assertThat(lists("/services")).isEmpty();
        }
    }

    @Test
    void aProcessThatNeverReachedTheServerPassesTheObjectsOn() {
        formerProcess();
        server.stop();
        try (TestCluster cluster = start()) {
            await().until(() -> cluster.source().status().failure().isPresent());
        }
        server.start();
        server.put(TestCluster.slice(7, 4));
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();
            assertNothingListed();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {410, 500, 403})
    void aRefusedWatchEndsInAList(int code) {
        formerProcess();
        server.faults.answer(
                request -> request.getTarget().contains("/services")
                        && !request.getTarget().contains("sendInitialEvents"),
                TestApiServer.refused(ApiStatus.of(code)),
                code == 403 ? 2 : 3);
        server.put(TestCluster.service(SERVICES + 1));
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();
        }
    }

    /** A thread that is busy, or a packet that is lost: it says later than usual that it cannot go on, and yet before everything is read. */
    @Test
    void aServerThatSaysLateThatItForgotTheVersionIsListedFirst() {
        formerProcess();
        server.delete(TestCluster.service(8).key());
        int head = 200;
        String late = "\n".repeat(head) + new String(new TestWriting(false).error(TestApiServer.expired()), UTF_8);
        server.faults.answer(
                request -> request.getTarget().contains("/services?")
                        && !request.getTarget().contains("sendInitialEvents"),
                new MockResponse.Builder()
                        .setHeader("Content-Type", "application/json")
                        .body(late)
                        .throttleBody(head, 200, TimeUnit.MILLISECONDS)
                        .build(),
                1);
        server.faults.answer(request -> request.getTarget().contains("/nodes?"), busy(1), 1);
        server.faults.answer(request -> request.getTarget().contains("/services?"), busy(2), 1);
        try (TestCluster cluster = start()) {
            await().until(cluster.store()::isSynced);
            assertThat(cluster.store().size().services()).isEqualTo(SERVICES - 1);
        }
    }

    private static MockResponse busy(int seconds) {
        return TestApiServer.refused(new ApiStatus(429, "TooManyRequests", "later", OptionalInt.of(seconds)));
    }

    @Test
    void whatWasNotReadToItsEndIsNotSaved() {
        server.faults.answer(
                request -> request.getTarget().contains("/endpointslices"), TestApiServer.refused(ApiStatus.of(403)));
        try (TestCluster cluster = start()) {
            await().until(() -> cluster.store().size().services() == SERVICES
                    && cluster.source().status().failure().isPresent());
        }
        assertThat(file()).doesNotExist();
    }

    /** Its previous version is in the store, and its present one is not known. */
    @Test
    void withAnObjectThatTheStoreRefusedNothingIsSaved() {
        Service bad = TestCluster.service(3);
        try (TestCluster cluster = TestCluster.of(server)
                .snapshot(state)
                .store(FaultyServerTest.refusing(bad.key()::equals, () -> {
                    throw new IllegalStateException("not this one");
                }))
                .start()) {
            await().until(() -> !cluster.followed("services").unreadable().isEmpty());
        }
        assertThat(file()).doesNotExist();
    }

    /** A slice without a Service is known, and nothing of it is kept; what it becomes is not lost. */
    @Test
    void aSliceThatGetsAServiceIsNotMissed() {
        EndpointSlice slice = TestCluster.slice(3, 2);
        EndpointSlice alone = new EndpointSlice(
                slice.namespace(),
                slice.name(),
                Optional.empty(),
                false,
                slice.addressType(),
                slice.ports(),
                slice.endpoints(),
                Optional.empty());
        server.put(alone);
        try (TestCluster cluster = start()) {
            await().until(() ->
                    cluster.store().isSynced() && cluster.store().size().slices() == SERVICES - 1);
        }
        server.put(slice);
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();
        }
    }

    @Test
    void aDamagedFileIsReadFromTheServerInstead() throws Exception {
        formerProcess();
        byte[] bytes = Files.readAllBytes(file());
        bytes[bytes.length / 2]++;
        Files.write(file(), bytes);
        try (TestCluster cluster = start()) {
            cluster.awaitEqual();
            assertThat(lists("/services")).hasSize(1);
        }
    }
}
