package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.Buffer;
import org.jspecify.annotations.Nullable;

/** An API server on a port of the loopback or another address of this host, with faults to order. It can be stopped and started, and keeps its objects meanwhile. */
public final class TestApiServer implements AutoCloseable {
    private static final Map<String, ObjectKey.Kind> PATHS = Map.of(
            "/api/v1/services", ObjectKey.Kind.SERVICE,
            "/api/v1/nodes", ObjectKey.Kind.NODE,
            "/apis/discovery.k8s.io/v1/endpointslices", ObjectKey.Kind.ENDPOINT_SLICE,
            "/apis/networking.k8s.io/v1/servicecidrs", ObjectKey.Kind.SERVICE_CIDR);

    private static final Ip LOOPBACK = Ip.parse("127.0.0.1");

    final TestObjects objects = new TestObjects();
    final TestFaults faults = new TestFaults();
    final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    private final Map<String, List<TestObjects.Versioned>> pages = new ConcurrentHashMap<>();
    private final AtomicInteger tokens = new AtomicInteger();
    private final Ip address;
    private Optional<HeldCertificate> certificate;
    private final List<HeldCertificate> clients = new ArrayList<>();
    private volatile Function<RecordedRequest, MockResponse> others = request -> refused(ApiStatus.of(404));
    private @Nullable MockWebServer server;
    private int port;

    private TestApiServer(Ip address, Optional<HeldCertificate> certificate) {
        this.address = address;
        this.certificate = certificate;
    }

    /** Without TLS. */
    public static TestApiServer plain() {
        TestApiServer server = new TestApiServer(LOOPBACK, Optional.empty());
        server.start();
        return server;
    }

    /** With a certificate of its own for this name or address. */
    public static TestApiServer tls(String name) {
        return tlsAt(LOOPBACK, name);
    }

    /** As above, on another address of this host. */
    static TestApiServer tlsAt(Ip address, String name) {
        TestApiServer server = new TestApiServer(
                address,
                Optional.of(new HeldCertificate.Builder()
                        .addSubjectAlternativeName(name)
                        .commonName("test")
                        .build()));
        server.start();
        return server;
    }

    /** Stops it, and starts it again with a certificate that another authority has signed. */
    void renewCertificate(String name) {
        stop();
        certificate = Optional.of(new HeldCertificate.Builder()
                .addSubjectAlternativeName(name)
                .commonName("renewed")
                .build());
        start();
    }

    /** Only clients with this certificate are served. */
    TestApiServer clients(HeldCertificate client) {
        stop();
        clients.add(client);
        start();
        return this;
    }

    /** How to reach it. */
    public ClusterAccess access() {
        return new ClusterAccess(
                certificate.isPresent(),
                address.toString(),
                port,
                "",
                certificate.map(HeldCertificate::certificatePem),
                Optional.empty(),
                false,
                Optional.empty());
    }

    /** A source that reads this server for node {@code n1}, into a store of its own. */
    public ClusterSource source(WireFormat format) throws IOException {
        return ClusterSource.start(
                access(),
                Credentials.NONE,
                new ClusterSettings(Optional.empty(), Optional.empty(), format, 50, 50),
                new ClusterSource.Wanted("n1", false),
                new Store(),
                ClusterSource.Callbacks.NONE,
                ClusterSource.Network.system(),
                Supervisor.none());
    }

    public void put(ApiObject object) {
        objects.put(object);
    }

    public void delete(ObjectKey key) {
        objects.delete(key);
    }

    /** Answers whatever is neither list nor watch. */
    public void others(Function<RecordedRequest, MockResponse> answer) {
        others = answer;
    }

    /** Requests so far whose method, path and query are like this. */
    public List<RecordedRequest> requests(Predicate<String> line) {
        return requests.stream()
                .filter(request -> line.test(request.getMethod() + " " + request.getTarget()))
                .toList();
    }

    public void start() {
        MockWebServer fresh = new MockWebServer();
        fresh.setServerSocketFactory(new ReusedPorts());
        fresh.setProtocols(List.of(Protocol.HTTP_1_1));
        fresh.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return answer(request);
            }
        });
        certificate.ifPresent(held -> {
            HandshakeCertificates.Builder builder = new HandshakeCertificates.Builder().heldCertificate(held);
            clients.forEach(client -> builder.addTrustedCertificate(client.certificate()));
            fresh.useHttps(builder.build().sslSocketFactory());
            if (!clients.isEmpty()) {
                fresh.requireClientAuth();
            }
        });
        try {
            fresh.start(InetAddress.getByAddress(address.toBytes()), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        faults.up();
        port = fresh.getPort();
        server = fresh;
    }

    /** Closes all connections and stops listening on the port. */
    public void stop() {
        faults.down();
        objects.wake();
        if (server != null) {
            close(server);
        }
        server = null;
    }

    private static void close(MockWebServer server) {
        try {
            server.close();
        } catch (AssertionError e) {
            // It closes its sockets and gives its threads half a second to notice, which is short where others are
            // busy.
            if (!String.valueOf(e.getMessage()).contains("Gave up waiting")) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        stop();
    }

    private MockResponse answer(RecordedRequest request) {
        requests.add(request);
        Optional<MockResponse> fault = faults.instead(request);
        if (fault.isPresent()) {
            return fault.get();
        }
        ObjectKey.Kind kind = PATHS.get(request.getUrl().encodedPath());
        if (!"GET".equals(request.getMethod()) || kind == null) {
            return others.apply(request);
        }
        String accept = Optional.ofNullable(request.getHeaders().get("Accept")).orElse("");
        boolean proto = faults.protobuf && accept.contains("protobuf");
        if (!proto && !accept.contains("json")) {
            return refused(ApiStatus.of(406));
        }
        return "true".equals(request.getUrl().queryParameter("watch"))
                ? watch(request, kind, proto)
                : list(request, kind, proto);
    }

    private MockResponse list(RecordedRequest request, ObjectKey.Kind kind, boolean proto) {
        String token = request.getUrl().queryParameter("continue");
        List<TestObjects.Versioned> all;
        long version;
        if (token == null) {
            synchronized (objects) {
                all = objects.all(kind);
                boolean fromCache = "0".equals(request.getUrl().queryParameter("resourceVersion"));
                version = fromCache && faults.cached >= 0 ? faults.cached : objects.version();
            }
        } else {
            all = pages.remove(token);
            if (all == null || faults.tokensExpire) {
                return refused(new ApiStatus(410, "Expired", "the continue token is too old", OptionalInt.empty()));
            }
            version = Long.parseLong(token.substring(token.indexOf('@') + 1));
        }
        boolean paged = request.getUrl().queryParameter("limit") != null;
        int size = paged ? Math.min(all.size(), faults.page) : all.size();
        Optional<String> more = Optional.empty();
        if (size < all.size()) {
            more = Optional.of(tokens.incrementAndGet() + "@" + version);
            pages.put(more.get(), all.subList(size, all.size()));
        }
        byte[] body = new TestWriting(proto).list(kind, all.subList(0, size), version, more);
        return new MockResponse.Builder()
                .setHeader("Content-Type", new TestWriting(proto).mediaType())
                .socketHandler(new TestBody(faults.pieces, faults, out -> out.write(body)))
                .removeHeader("Content-Length")
                .setHeader("Transfer-Encoding", "chunked")
                .build();
    }

    private MockResponse watch(RecordedRequest request, ObjectKey.Kind kind, boolean proto) {
        boolean initial = "true".equals(request.getUrl().queryParameter("sendInitialEvents"));
        if (initial && !faults.streaming) {
            return refused(
                    new ApiStatus(422, "Invalid", "sendInitialEvents is forbidden for watch", OptionalInt.empty()));
        }
        String from = request.getUrl().queryParameter("resourceVersion");
        long since = from == null ? 0 : Long.parseLong(from);
        if (!initial && !objects.knows(since)) {
            return refused(expired());
        }
        int seconds = Integer.parseInt(Optional.ofNullable(request.getUrl().queryParameter("timeoutSeconds"))
                .orElse("600"));
        TestWriting writing = new TestWriting(proto);
        return new MockResponse.Builder()
                .setHeader("Content-Type", writing.mediaType() + ";stream=watch")
                .socketHandler(new TestBody(
                        faults.pieces, faults, new TestWatch(objects, faults, writing, kind, initial, since, seconds)))
                .removeHeader("Content-Length")
                .setHeader("Transfer-Encoding", "chunked")
                .build();
    }

    static ApiStatus expired() {
        return new ApiStatus(410, "Expired", "too old resource version", OptionalInt.empty());
    }

    /** An answer that is an error. */
    static MockResponse refused(ApiStatus status) {
        return new MockResponse.Builder()
                .code(status.code())
                .setHeader("Content-Type", "application/json")
                .body(new Buffer().write(new TestWriting(false).status(status)).readUtf8())
                .build();
    }
}
