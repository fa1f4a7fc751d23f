package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.access.ClientCertificate;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import mockwebserver3.MockResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Servers that hang or were put back, and errors of our own: in the end the store is equal to the server all the same. */
final class FaultyServerTest {

    @BeforeAll
    static void errorsOfOtherThreadsAreLookedAtHere() {
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }

    @AfterAll
    static void asBefore() {
        Awaitility.catchUncaughtExceptionsByDefault();
    }

    @Test
    void aServerThatHangsWhileItsKernelAcknowledgesIsNoticed() throws Exception {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                FrozenRelay relay = new FrozenRelay(server.access().port());
                TestCluster cluster = TestCluster.of(server)
                        .access(at(server.access(), relay.port()))
                        .probes(Duration.ofMillis(200), Duration.ofMillis(300))
                        .start()) {
            cluster.awaitEqual();
            relay.freeze(true);
            server.put(TestCluster.slice(2, 5));

            await().until(() -> cluster.source()
                    .status()
                    .failure()
                    .map(ResourceFailure::what)
                    .filter(what -> what.contains("127.0.0.1"))
                    .isPresent());
            relay.freeze(false);
            cluster.awaitEqual();
            await().until(() -> cluster.source().status().failure().isEmpty());
        }
    }

    /** A plugin for credentials, or a resolver, that takes long shows nothing about the server: its watches go on. */
    @Test
    void aProbeThatIsNotSentEndsNoWatch() {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        Credentials credentials = new Credentials() {
            @Override
            public Optional<String> authorization() throws IOException {
                try {
                    if (slow.get() && !goOn.await(1, TimeUnit.MINUTES)) {
                        throw new IOException("nobody waits for this any more");
                    }
                    return Optional.empty();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException(e);
                }
            }

            @Override
            public Optional<ClientCertificate> certificate() {
                return Optional.empty();
            }

            @Override
            public void refused() {}
        };
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster = TestCluster.of(server)
                        .credentials(credentials)
                        .probes(Duration.ofMillis(200), Duration.ofSeconds(3))
                        .start()) {
            cluster.awaitEqual();
            int watches = server.requests(FaultyServerTest::isWatch).size();
            slow.set(true);
            await().until(() -> cluster.fates().contains("GET -"));
            slow.set(false);
            goOn.countDown();
            server.put(TestCluster.slice(2, 5));
            cluster.awaitEqual();
            assertThat(server.requests(FaultyServerTest::isWatch)).hasSize(watches);
        }
    }

    private static boolean isWatch(String line) {
        return line.contains("watch=true");
    }

    /** A quiet watch is none that hangs: the server is asked, and answers. */
    @Test
    void serverIsProbedWhileWatchesAreQuiet() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster = TestCluster.of(server)
                        .probes(Duration.ofMillis(50), Duration.ofMinutes(1))
                        .start()) {
            cluster.awaitEqual();
            long then = cluster.source().lastContact().orElseThrow();

            await().until(() ->
                    server.requests(line -> line.equals("GET /version")).size() >= 3);
            await().until(() -> cluster.source().lastContact().orElseThrow() - then > 0);
            assertThat(cluster.source().status().failure()).isEmpty();
            assertThat(server.requests(line -> line.contains("&resourceVersion=")))
                    .isEmpty();
        }
    }

    /** Each byte comes in time, and the end never. */
    @Test
    void anErrorWithoutEndIsAFailedRequest() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster =
                        TestCluster.of(server).timeout(Duration.ofMillis(500)).retries(Duration.ofMillis(50))) {
            server.faults.answer(
                    request -> request.getTarget().contains("endpointslices"),
                    new MockResponse.Builder()
                            .code(500)
                            .body(" ".repeat(100_000))
                            .throttleBody(1, 20, TimeUnit.MILLISECONDS)
                            .build());
            cluster.start();
            await().until(() -> cluster.source()
                    .status()
                    .failure()
                    .map(ResourceFailure::what)
                    .filter(what -> what.contains("has not ended its error"))
                    .isPresent());
            server.faults.end();
            cluster.awaitEqual();
        }
    }

    @Test
    void beforeTheFirstContactThereIsNone() {
        try (TestApiServer server = TestApiServer.plain()) {
            server.stop();
            try (TestCluster cluster = TestCluster.of(server).start()) {
                await().until(() -> cluster.source().status().failure().isPresent());
                assertThat(cluster.source().lastContact()).isEmpty();
            }
        }
    }

    /** As after etcd was restored, and its versions grew on: they are given a second time, to other objects. */
    @Test
    void anEqualVersionIsNotTakenForTheSameObject() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 5);
                TestCluster cluster = TestCluster.of(server).start()) {
            cluster.awaitEqual();
            server.stop();
            server.objects.replace(TestCluster.slice(3, 7));
            server.objects.compact();
            server.start();

            cluster.awaitEqual();
        }
    }

    /** As a balancer answers from which the servers were taken away: a new list does not help. */
    @Test
    void aServerThatForgetsWhatIsAskedForAnewIsAnOutage() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster = TestCluster.of(server).start()) {
            cluster.awaitEqual();
            server.faults.answer(request -> true, TestApiServer.refused(TestApiServer.expired()));
            server.faults.cutWatches();
            await().until(() -> cluster.source()
                    .status()
                    .failure()
                    .filter(failure -> failure.what().contains("410"))
                    .isPresent());
            server.faults.end();
            cluster.awaitEqual();
            await().until(() -> cluster.source().status().failure().isEmpty());
        }
    }

    /** What was read stays in force, but it is not followed any more. */
    @Test
    void serviceCidrsThatTheServerDoesNotKnowAnyMoreAreAnOutage() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster = TestCluster.of(server).start()) {
            cluster.awaitEqual();
            server.faults.answer(
                    request -> request.getTarget().contains("/servicecidrs"), TestApiServer.refused(ApiStatus.of(404)));
            server.faults.cutWatches();
            await().until(() -> cluster.source()
                    .status()
                    .failure()
                    .filter(failure -> failure.what().contains("/servicecidrs (404)"))
                    .isPresent());
            assertThat(cluster.store().serviceCidrs()).containsExactly(TestCluster.CIDR);
            server.faults.end();
            await().until(() -> cluster.source().status().failure().isEmpty());
        }
    }

    /** As from a program in between that answers whatever it is asked: it is no list without anything in it. */
    @Test
    void anAnswerWithoutKindRemovesNothing() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 5)) {
            server.faults.streaming = false;
            try (TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                server.faults.answer(
                        request -> request.getTarget().contains("/services?") && !isWatch(request.getTarget()),
                        new MockResponse.Builder()
                                .setHeader("Content-Type", "application/json")
                                .body("{}")
                                .build(),
                        4);
                server.objects.compact();
                await().until(() -> cluster.followed("services").lists() > 1
                        || cluster.source()
                                .status()
                                .failure()
                                .filter(failure -> failure.what().contains("without kind"))
                                .isPresent());
                assertThat(cluster.store().size().services()).isEqualTo(5);
                cluster.awaitEqual();
            }
        }
    }

    /** The next answer may be far away, as when the server goes away then. */
    @Test
    void whatArrivedBeforeNonsenseIsInForceAtOnce() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.streaming = false;
            byte[] event = new TestWriting(false)
                    .event("ADDED", new TestObjects.Versioned(TestCluster.service(4), server.objects.version() + 1));
            server.faults.answer(
                    request -> request.getTarget().contains("/services?")
                            && request.getTarget().contains("&resourceVersion=1"),
                    new MockResponse.Builder()
                            .setHeader("Content-Type", "application/json")
                            .body(new String(event, StandardCharsets.UTF_8) + "nonsense\n")
                            .build());
            try (TestCluster cluster =
                    TestCluster.of(server).retries(Duration.ofHours(1)).start()) {
                await().until(() -> cluster.store().has(TestCluster.service(4)));
            }
        }
    }

    /** Without changes a server sends bookmarks only if its etcd reports its progress, which it does not by default. */
    @Test
    void anIdleServerIsNotReadAgain() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 5);
                TestCluster cluster =
                        TestCluster.of(server).silence(Duration.ofMillis(200)).start()) {
            cluster.awaitEqual();
            await().during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.followed("services").lists() == 1
                            && cluster.source().status().failure().isEmpty());
        }
    }

    /** Until its versions have come as far again, such a server accepts our watches and sends them nothing. */
    @Test
    void aServerThatWasPutBackIsReadAgain() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 5);
                TestCluster cluster = TestCluster.of(server)
                        .format(WireFormat.JSON)
                        .silence(Duration.ofMillis(300))
                        .start()) {
            cluster.awaitEqual();
            server.stop();
            List<ApiObject> before = new ArrayList<>();
            for (ObjectKey.Kind kind : ObjectKey.Kind.values()) {
                server.objects.all(kind).forEach(each -> before.add(each.object()));
            }
            before.removeIf(
                    object -> object.key().equals(TestCluster.slice(3, 1).key()));
            before.add(TestCluster.slice(3, 9));
            server.objects.restore(server.objects.version() - 2, before);
            server.start();

            cluster.awaitEqual();
        }
    }

    /** A store that cannot take some object, for a while. */
    static Store refusing(Predicate<ObjectKey> which, Runnable with) {
        return new Store(
                new StoreOverlay() {
                    @Override
                    public List<Update> derived(List<Update> updates) {
                        if (updates.stream().map(Update::key).anyMatch(which)) {
                            with.run();
                        }
                        return StoreOverlay.NOTHING.derived(updates);
                    }

                    @Override
                    public void onReplaced(ServiceKey key, ServiceState now) {}

                    @Override
                    public ServiceState shown(ServiceKey key, ServiceState state) {
                        return state;
                    }
                },
                Optional.empty());
    }

    @Test
    void failedUpdateIsRetriedAndBlocksNoOther() {
        AtomicReference<Optional<RuntimeException>> fault = new AtomicReference<>(Optional.empty());
        Store store = refusing(
                TestCluster.slice(2, 1).key()::equals,
                () -> fault.get().ifPresent(e -> {
                    throw e;
                }));
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster = TestCluster.of(server).store(store).start()) {
            cluster.awaitEqual();
            fault.set(Optional.of(new IllegalStateException("made up")));
            server.put(TestCluster.slice(2, 7));
            await().until(() -> cluster.followed("endpointslices.discovery.k8s.io").unreadable().stream()
                    .anyMatch(why -> why.contains("s2-x") && why.contains("made up")));
            server.put(TestCluster.slice(4, 2));
            await().until(() -> store.has(TestCluster.slice(4, 2)));

            fault.set(Optional.empty());
            cluster.awaitEqual();
            assertThat(cluster.followed("endpointslices.discovery.k8s.io").unreadable())
                    .isEmpty();
        }
    }

    /** The process is to end then; as long as it has not, nothing stops. */
    @Test
    void anErrorIsHandedOnAndNothingIsLost() {
        AtomicInteger errors = new AtomicInteger();
        AtomicReference<Throwable> handed = new AtomicReference<>();
        Store store = refusing(TestCluster.slice(2, 1).key()::equals, () -> {
            if (errors.getAndDecrement() > 0) {
                throw new StackOverflowError("made up");
            }
        });
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> handed.set(error));
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster = TestCluster.of(server)
                        .store(store)
                        .probes(Duration.ofMillis(500), Duration.ofMinutes(1))
                        .start()) {
            cluster.awaitEqual();
            errors.set(2);
            server.put(TestCluster.slice(2, 7));

            cluster.awaitEqual();
            assertThat(handed.get()).isInstanceOf(StackOverflowError.class);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void anErrorWhileCredentialsAreReadIsAnOutageAtOnce() {
        AtomicInteger errors = new AtomicInteger(6);
        Credentials credentials = new Credentials() {
            @Override
            public Optional<String> authorization() {
                if (errors.getAndDecrement() > 0) {
                    throw new StackOverflowError("made up");
                }
                return Optional.empty();
            }

            @Override
            public Optional<ClientCertificate> certificate() {
                return Optional.empty();
            }

            @Override
            public void refused() {}
        };
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {});
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3);
                TestCluster cluster =
                        TestCluster.of(server).credentials(credentials).start()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> cluster.source().synced());
            cluster.awaitEqual();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static ClusterAccess at(ClusterAccess server, int port) {
        return new ClusterAccess(
                server.secure(),
                server.host(),
                port,
                "",
                server.authorities(),
                server.serverName(),
                server.insecure(),
                server.proxy());
    }
}
