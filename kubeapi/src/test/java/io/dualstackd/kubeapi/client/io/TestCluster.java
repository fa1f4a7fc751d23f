package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.client.ReflectorState;
import io.dualstackd.kubeapi.client.RequestObserver;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.snapshot.io.SnapshotFile;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A source that reads a {@link TestApiServer} into a store. */
final class TestCluster implements AutoCloseable {
    static final ServiceCidr CIDR = new ServiceCidr("kubernetes", List.of(IpPrefix.parse("10.96.0.0/12")));
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final TestApiServer server;
    private Store store = new Store();
    private Optional<SnapshotFile> snapshot = Optional.empty();
    private Duration firstByte = TIMEOUT;
    private Duration silence = TIMEOUT;
    private Duration quiet = TIMEOUT;
    private Duration probe = TIMEOUT;
    private WireFormat format = WireFormat.PROTOBUF;
    private Credentials credentials = Credentials.NONE;
    private Map<String, String> environment = Map.of();
    private ClusterAccess access;
    private ReflectorState.Waits retries = new ReflectorState.Waits(Duration.ofMillis(20), Duration.ofMillis(100));
    private Supervisor supervisor = Supervisor.none();
    private final Fates fates = new Fates();
    private Runnable applied = () -> {};
    private @Nullable ClusterSource source;

    private TestCluster(TestApiServer server) {
        this.server = server;
        this.access = server.access();
    }

    static TestCluster of(TestApiServer server) {
        return new TestCluster(server);
    }

    /** So many Services with a slice each, a node and the networks of ClusterIPs. */
    static TestApiServer filled(TestApiServer server, int services) {
        server.put(new Node(
                "n1",
                "zone-a",
                List.of(IpPrefix.parse("10.244.1.0/24")),
                List.of(new Node.Address("InternalIP", Ip.parse("192.0.2.1"))),
                List.of(),
                false));
        server.put(CIDR);
        for (int i = 1; i <= services; i++) {
            server.put(service(i));
            server.put(slice(i, 1));
        }
        return server;
    }

    TestCluster format(WireFormat with) {
        format = with;
        return this;
    }

    TestCluster credentials(Credentials with) {
        credentials = with;
        return this;
    }

    /** How long an answer may take to begin. */
    TestCluster timeout(Duration with) {
        firstByte = with;
        return this;
    }

    /** How long a watch may tell nothing. */
    TestCluster silence(Duration with) {
        silence = with;
        return this;
    }

    /** After how much quiet the server is asked whether it is there, and how long that may take. */
    TestCluster probes(Duration after, Duration within) {
        quiet = after;
        probe = within;
        return this;
    }

    /** How long to wait after each failure. */
    TestCluster retries(Duration with) {
        retries = new ReflectorState.Waits(with, with);
        return this;
    }

    /** Called on the thread {@code api} after the store took something. */
    TestCluster applied(Runnable with) {
        applied = with;
        return this;
    }

    TestCluster store(Store with) {
        store = with;
        return this;
    }

    /** Objects of the former process, and for the next one, are in this folder. */
    TestCluster snapshot(Path state) {
        try {
            snapshot = Optional.of(SnapshotFile.in(state, "test"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    TestCluster access(ClusterAccess with) {
        access = with;
        return this;
    }

    TestCluster environment(Map<String, String> with) {
        environment = with;
        return this;
    }

    /** Where it lives. */
    TestCluster supervisor(Supervisor with) {
        supervisor = with;
        return this;
    }

    TestCluster start() {
        ApiTimeouts apiTimeouts = new ApiTimeouts(retries, firstByte, silence, Duration.ofMinutes(5), quiet, probe);
        try {
            source = new ClusterSource(
                            access,
                            credentials,
                            new ClusterSettings(Optional.empty(), Optional.empty(), format, 0, 0),
                            new ClusterSource.Wanted("n1", true, snapshot),
                            store,
                            new ClusterSource.Callbacks(applied, fates),
                            new ClusterSource.Network(ApiTransport.system(), environment),
                            apiTimeouts,
                            supervisor)
                    .begin();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** How requests fared, in words: {@code GET 200}, {@code GET -} without an answer, {@code POST took}. */
    List<String> fates() {
        return fates.all;
    }

    private static final class Fates implements RequestObserver {
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void answered(String method, int status) {
            all.add(method + " " + status);
        }

        @Override
        public void unanswered(String method) {
            all.add(method + " -");
        }

        @Override
        public void took(String method, long nanos) {
            assertThat(nanos).isPositive();
            all.add(method + " took");
        }
    }

    ClusterSource source() {
        return Objects.requireNonNull(source, "not started");
    }

    Store store() {
        return store;
    }

    ClusterStatus.Followed followed(String name) {
        return source().status().resources().stream()
                .filter(resource -> resource.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Until the store is synced and has what the server has. */
    void awaitEqual() {
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(5)).untilAsserted(() -> {
            assertThat(store.isSynced()).isTrue();
            assertThat(inStore()).isEqualTo(onServer());
        });
    }

    private Map<ObjectKey, ApiObject> onServer() {
        Map<ObjectKey, ApiObject> all = new TreeMap<>();
        synchronized (server.objects) {
            for (ObjectKey.Kind kind : ObjectKey.Kind.values()) {
                server.objects.all(kind).forEach(each -> all.put(each.object().key(), each.object()));
            }
        }
        return all;
    }

    private Map<ObjectKey, ApiObject> inStore() {
        List<ApiObject> objects = new ArrayList<>();
        for (ServiceState state : store.services()) {
            state.service().ifPresent(objects::add);
            objects.addAll(state.slices());
        }
        store.node("n1").ifPresent(objects::add);
        objects.addAll(store.serviceCidrs());
        Map<ObjectKey, ApiObject> all = new TreeMap<>();
        objects.forEach(object -> all.put(object.key(), object));
        return all;
    }

    @Override
    public void close() {
        source().close();
    }

    static Service service(int number) {
        Ip ip = Ip.parse("10.96." + number / 256 + "." + number % 256);
        return Service.builder("ns", "s" + number)
                .clusterIps(new Service.ClusterIp.Address(ip), List.of(ip), List.of(IpFamily.IPV4))
                .ports(List.of(new Service.Port("http", Proto.TCP, 80, 0)))
                .build();
    }

    static EndpointSlice slice(int number, int endpoints) {
        List<EndpointSlice.Endpoint> all = new ArrayList<>();
        for (int i = 1; i <= endpoints; i++) {
            all.add(new EndpointSlice.Endpoint(
                    Ip.parse("10.244." + number % 256 + "." + i),
                    new EndpointSlice.Conditions(Optional.of(true), Optional.of(true), Optional.of(false)),
                    i % 2 == 0 ? "n1" : "n2",
                    Set.of(),
                    Set.of()));
        }
        return slice(number, all);
    }

    private static EndpointSlice slice(int number, List<EndpointSlice.Endpoint> endpoints) {
        return new EndpointSlice(
                "ns",
                "s" + number + "-x",
                Optional.of("s" + number),
                false,
                EndpointSlice.AddressType.IPV4,
                List.of(new EndpointSlice.Port(Optional.of("http"), Proto.TCP, OptionalInt.of(8080))),
                endpoints,
                Optional.empty());
    }
}
