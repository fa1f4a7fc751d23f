package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.access.ClientCertificate;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.RequestObserver;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** The answer of a server whose priority and fairness has no room for the request. */
    @Test
    void aBusyServerNamesTheTimeToWaitInAHeader() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 1)) {
            server.others(request -> new MockResponse.Builder()
                    .code(429)
                    .setHeader("Retry-After", "7")
                    .body("Too many requests, please try again later.")
                    .build());
            try (TestCluster cluster = TestCluster.of(server).start()) {
                assertThat(cluster.source().calls().get("/api/v1/x"))
                        .isInstanceOfSatisfying(Reply.Refused.class, refused -> {
                            assertThat(refused.status().code()).isEqualTo(429);
                            assertThat(refused.status().retryAfterSeconds()).hasValue(7);
                        });
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

    /** As on a node with one IP family, for a server whose name has addresses of both. */
    @Test
    void oneOfSeveralAddressesIsEnough() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            server.setSoTimeout(60_000);
            List<String> fates = new CopyOnWriteArrayList<>();
            RequestObserver observer = new RequestObserver() {
                @Override
                public void answered(String method, int status) {
                    fates.add(method + " " + status);
                }

                @Override
                public void unanswered(String method) {
                    fates.add(method + " -");
                }

                @Override
                public void took(String method, long nanos) {}
            };
            InetAddress[] addresses = {
                InetAddress.getByAddress(new byte[] {127, 0, 0, 3}),
                InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
                InetAddress.getLoopbackAddress()
            };
            RestClient calls = new RestClient(
                    new Dialer(access(server), Credentials.NONE, Map.of(), loop, observer, name -> addresses.clone()),
                    0,
                    1);
            for (int i = 0; i < 2; i++) {
                CompletableFuture<Reply> reply = CompletableFuture.supplyAsync(() -> calls.get("/version"));
                try (Socket connection = server.accept()) {
                    answer(connection);
                    assertThat(reply.get(10, TimeUnit.SECONDS)).isInstanceOf(Reply.Done.class);
                }
            }
            assertThat(fates).containsExactly("GET 200", "GET 200");
            server.close();
            assertThat(calls.get("/version")).isInstanceOf(Reply.Failed.class);
        }
    }

    private static ClusterAccess access(ServerSocket server) {
        return new ClusterAccess(
                false,
                "127.0.0.1",
                server.getLocalPort(),
                "",
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty());
    }

    /** Nothing of the request was sent, so it is sent on another connection, also when repeating it would do harm. */
    @Test
    void aConnectionThatIsClosedWhileARequestIsPreparedIsReplaced() throws Exception {
        SlowCredentials credentials = new SlowCredentials();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            server.setSoTimeout(60_000);
            RestClient calls =
                    new RestClient(new Dialer(access(server), credentials, Map.of(), loop, RequestObserver.NONE), 0, 1);
            CompletableFuture<Reply> first = CompletableFuture.supplyAsync(() -> calls.get("/version"));
            try (Socket connection = server.accept()) {
                answer(connection);
                assertThat(first.get(1, TimeUnit.MINUTES)).isInstanceOf(Reply.Done.class);

                credentials.hold();
                CompletableFuture<Reply> second = CompletableFuture.supplyAsync(() -> calls.post("/events", "{}"));
                credentials.awaitRequest();
                connection.shutdownOutput();
                assertThat(connection.getInputStream().read())
                        .as("the client has closed it, too")
                        .isEqualTo(-1);
                credentials.release();
                try (Socket other = server.accept()) {
                    answer(other);
                    assertThat(second.get(1, TimeUnit.MINUTES)).isInstanceOf(Reply.Done.class);
                }
            }
        }
    }

    /** Nothing is wrong with the server then. */
    @Test
    void aRequestThatCannotBePreparedInTimeLeavesTheConnectionOpen() throws Exception {
        SlowCredentials credentials = new SlowCredentials();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            server.setSoTimeout(60_000);
            ApiConnection client =
                    new ApiConnection(new Dialer(access(server), credentials, Map.of(), loop, RequestObserver.NONE));
            CompletableFuture<String> first = ask(loop, client, Duration.ofMinutes(1));
            try (Socket connection = server.accept()) {
                answer(connection);
                assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("200");

                credentials.hold();
                assertThat(ask(loop, client, Duration.ofMillis(50)).get(1, TimeUnit.MINUTES))
                        .contains("reading credentials or looking up its name takes longer");
                credentials.release();
                CompletableFuture<String> third = ask(loop, client, Duration.ofMinutes(1));
                answer(connection);
                assertThat(third.get(1, TimeUnit.MINUTES)).isEqualTo("200");
            }
        }
    }

    /** As where packets to the DNS server are dropped: each lookup takes long, and others wait for it. */
    @Test
    void noNameIsLookedUpForARequestThatIsOver() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger lookups = new AtomicInteger();
        Dialer.Names slow = name -> {
            lookups.incrementAndGet();
            try {
                assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new UnknownHostException("interrupted");
            }
            throw new UnknownHostException(name);
        };
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            Dialer dialer = new Dialer(access(server), Credentials.NONE, Map.of(), loop, RequestObserver.NONE, slow);
            CompletableFuture<String> first = ask(loop, new ApiConnection(dialer), Duration.ofMinutes(1));
            assertThat(ask(loop, new ApiConnection(dialer), Duration.ofMillis(50))
                            .get(1, TimeUnit.MINUTES))
                    .contains("takes longer");
            CompletableFuture<String> third = ask(loop, new ApiConnection(dialer), Duration.ofMinutes(1));
            goOn.countDown();
            assertThat(first.get(1, TimeUnit.MINUTES)).contains("cannot be looked up");
            assertThat(third.get(1, TimeUnit.MINUTES)).contains("cannot be looked up");
            assertThat(lookups).hasValue(2);
        }
    }

    @Test
    void noNameIsLookedUpForAConnectionToOneAddress() throws Exception {
        Dialer.Names none = name -> {
            throw new UnknownHostException(name);
        };
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            server.setSoTimeout(60_000);
            ApiConnection client = new ApiConnection(
                    new Dialer(access(server), Credentials.NONE, Map.of(), loop, RequestObserver.NONE, none),
                    Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort())));
            CompletableFuture<String> reply = ask(loop, client, Duration.ofMinutes(1));
            try (Socket connection = server.accept()) {
                answer(connection);
                assertThat(reply.get(1, TimeUnit.MINUTES)).isEqualTo("200");
            }
        }
    }

    /** The status of the answer to a request, or why there is none. */
    private static CompletableFuture<String> ask(ApiLoop loop, ApiConnection connection, Duration firstByte) {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        ResponseListener listener = new ResponseListener() {
            private int status;

            @Override
            public void head(int code, String contentType, String retryAfter) {
                status = code;
            }

            @Override
            public void end() {
                outcome.complete(String.valueOf(status));
            }

            @Override
            public void failed(boolean begun, String why) {
                outcome.complete(why);
            }
        };
        ApiRequest request = ApiRequest.get("/version", "application/json", false, firstByte, Duration.ofMinutes(1));
        loop.execute(() -> connection.send(request, listener));
        return outcome;
    }

    /** RFC 9110: any number of responses of class 1xx may come before the one that counts. */
    @Test
    void anInformationalResponseIsNotTheAnswer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            server.setSoTimeout(60_000);
            RestClient calls = new RestClient(
                    new Dialer(access(server), Credentials.NONE, Map.of(), loop, RequestObserver.NONE), 0, 1);
            CompletableFuture<Reply> first = CompletableFuture.supplyAsync(() -> calls.post("/first", "{}"));
            try (Socket connection = server.accept()) {
                answer(
                        connection,
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + okay("first"));
                assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo(new Reply.Done(200, "first"));

                CompletableFuture<Reply> second = CompletableFuture.supplyAsync(() -> calls.get("/second"));
                answer(connection, okay("second"));
                assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(new Reply.Done(200, "second"));
            }
        }
    }

    /** As of a load balancer that gives up an idle connection, or a server whose answer was longer than announced. */
    @Test
    void whatArrivesWithoutARequestIsTheAnswerToNone() throws Exception {
        for (String unasked : List.of(
                "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n",
                okay("of another"),
                "more of the last\r\n")) {
            SlowCredentials credentials = new SlowCredentials();
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
                server.setSoTimeout(60_000);
                RestClient calls = new RestClient(
                        new Dialer(access(server), credentials, Map.of(), loop, RequestObserver.NONE), 0, 1);
                CompletableFuture<Reply> first = CompletableFuture.supplyAsync(() -> calls.get("/first"));
                try (Socket connection = server.accept()) {
                    answer(connection, okay("first"));
                    assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo(new Reply.Done(200, "first"));

                    credentials.hold();
                    CompletableFuture<Reply> second = CompletableFuture.supplyAsync(() -> calls.post("/second", "{}"));
                    credentials.awaitRequest();
                    connection.getOutputStream().write(unasked.getBytes(StandardCharsets.US_ASCII));
                    assertThat(connection.getInputStream().read())
                            .as("the client closes it after \"%s\"", unasked)
                            .isEqualTo(-1);
                    credentials.release();
                    try (Socket other = server.accept()) {
                        answer(other, okay("second"));
                        assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(new Reply.Done(200, "second"));
                    }
                }
            }
        }
    }

    /** The rest of a response that is longer than announced, sent together with it. */
    @Test
    void aConnectionWithMoreThanTheAnswerIsNotUsedAgain() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            server.setSoTimeout(60_000);
            RestClient calls = new RestClient(
                    new Dialer(access(server), Credentials.NONE, Map.of(), loop, RequestObserver.NONE), 0, 1);
            for (String more : List.of(okay("unasked"), "and more\r\n")) {
                CompletableFuture<Reply> first = CompletableFuture.supplyAsync(() -> calls.get("/first"));
                try (Socket connection = server.accept()) {
                    answer(connection, okay("first") + more);
                    assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo(new Reply.Done(200, "first"));
                    assertThat(connection.getInputStream().read())
                            .as("the client closes it after \"%s\"", more)
                            .isEqualTo(-1);
                }
            }
        }
    }

    /** Each piece comes in time, and the end never. */
    @Test
    void anAnswerWithoutEndDoesNotHoldUpTheOthers() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiLoop loop = ApiLoop.open(ApiTransport.system(), Supervisor.none())) {
            server.setSoTimeout(60_000);
            RestClient calls = new RestClient(
                    new Dialer(access(server), Credentials.NONE, Map.of(), loop, RequestObserver.NONE),
                    0,
                    1,
                    Duration.ofSeconds(1));
            CompletableFuture<Reply> endless = CompletableFuture.supplyAsync(() -> calls.get("/endless"));
            try (Socket connection = server.accept()) {
                answer(connection, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                CompletableFuture<Reply> next = CompletableFuture.supplyAsync(() -> calls.get("/next"));
                await().pollInterval(Duration.ofMillis(50)).until(() -> {
                    try {
                        connection.getOutputStream().write("1\r\n \r\n".getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                        // The client has closed it.
                    }
                    return endless.isDone();
                });
                assertThat(endless.get())
                        .isEqualTo(new Reply.Failed("the answer of http://127.0.0.1:" + server.getLocalPort()
                                + " to GET /endless has not ended within 1 s"));
                try (Socket other = server.accept()) {
                    answer(other, okay("next"));
                    assertThat(next.get(1, TimeUnit.MINUTES)).isEqualTo(new Reply.Done(200, "next"));
                }
            }
        }
    }

    private static String okay(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Reads a request up to the end of its head, and answers it. */
    private static void answer(Socket connection) throws IOException {
        answer(connection, okay("{}"));
    }

    private static void answer(Socket connection, String text) throws IOException {
        connection.setSoTimeout(10_000);
        StringBuilder request = new StringBuilder();
        while (request.indexOf("\r\n\r\n") < 0) {
            int next = connection.getInputStream().read();
            assertThat(next).as("a request after \"" + request + "\"").isNotEqualTo(-1);
            request.append((char) next);
        }
        if (request.indexOf("POST") == 0) {
            assertThat(connection.getInputStream().readNBytes(2)).hasSize(2);
        }
        connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Credentials whose reading can be held up, as by a plugin. */
    private static final class SlowCredentials implements Credentials {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile boolean held;

        void hold() {
            held = true;
        }

        void awaitRequest() throws InterruptedException {
            assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
        }

        void release() {
            held = false;
            released.countDown();
        }

        @Override
        public Optional<String> authorization() throws IOException {
            if (held) {
                asked.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IOException("interrupted", e);
                }
            }
            return Optional.empty();
        }

        @Override
        public Optional<ClientCertificate> certificate() {
            return Optional.empty();
        }

        @Override
        public void refused() {}
    }
}
