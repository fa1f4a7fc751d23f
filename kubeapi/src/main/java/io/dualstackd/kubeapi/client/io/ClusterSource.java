package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.client.Outage;
import io.dualstackd.kubeapi.client.RequestObserver;
import io.dualstackd.kubeapi.client.Resource;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link Store} equal to the API server's Services, slices, networks of ClusterIPs and the node's own object.
 *
 * <p>While the server cannot be reached nothing in the store changes, however long that takes. Everything happens on the thread {@code api}.
 */
public final class ClusterSource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    /** Limit for a status request: its caller may be serving a probe with a short timeout. */
    private static final Duration STATUS = Duration.ofMillis(100);

    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final Store store;
    private final WireFormat format;
    private final ApiTimeouts apiTimeouts;
    private final ApiLoop loop;
    private final Dialer dialer;
    private final Outage outage = new Outage();
    private final List<Reflector> reflectors = new ArrayList<>();
    private final RestClient calls;
    private final HangProbe hangs;
    private final Platform platform;
    /** By the platform's steady clock, as all times of outages. */
    private final Instant started;

    private volatile Instant completeSince;
    private volatile boolean complete;
    private volatile ClusterStatus lastStatus;
    /** Completed when the thread {@code api} has answered the last status request. */
    private final AtomicReference<CompletableFuture<Boolean>> lastAsked =
            new AtomicReference<>(CompletableFuture.completedFuture(true));

    /**
     * The resources to read.
     *
     * @param nodeName of the own Node object
     * @param serviceCidrs include the networks of ClusterIPs: only nftables mode needs them
     */
    public record Wanted(String nodeName, boolean serviceCidrs) {
        List<Resource> resources() {
            List<Resource> resources = new ArrayList<>();
            // The node's own object is small, and the rules for all others depend on it.
            resources.add(Resource.node(nodeName));
            if (serviceCidrs) {
                resources.add(Resource.serviceCidrs());
            }
            resources.add(Resource.services());
            resources.add(Resource.slices());
            return resources;
        }
    }

    /**
     * Callbacks on the thread {@code api}.
     *
     * @param applied called after the store has taken updates
     * @param requests receives the outcome of each request
     */
    public record Callbacks(Runnable applied, RequestObserver requests) {
        public static final Callbacks NONE = new Callbacks(() -> {}, RequestObserver.NONE);
    }

    /**
     * The transport to the server, and its environment.
     *
     * @param environment names proxies and certificate authorities, in the variables that other programs use, too
     */
    public record Network(ApiTransport transport, Map<String, String> environment) {
        public Network {
            environment = Map.copyOf(environment);
        }

        /** TCP, with the environment of this process. */
        public static Network system() {
            return new Network(ApiTransport.system(), System.getenv());
        }
    }

    /** Loads the libraries of connections, which takes about 0.2 s, so that {@link #start} need not. */
    public static void loadLibraries() {
        ApiLoop.loadLibraries();
    }

    ClusterSource(
            ClusterAccess access,
            Credentials credentials,
            ClusterSettings settings,
            Wanted wanted,
            Store store,
            Callbacks callbacks,
            Network network,
            ApiTimeouts apiTimeouts,
            Supervisor supervisor)
            throws IOException {
        this.store = store;
        this.format = settings.format();
        this.apiTimeouts = apiTimeouts;
        this.platform = supervisor.platform();
        this.started = platform.steady().instant();
        this.completeSince = started;
        this.loop = ApiLoop.open(network.transport(), supervisor);
        try {
            this.dialer = new Dialer(access, credentials, network.environment(), loop, callbacks.requests());
        } catch (IllegalArgumentException e) {
            loop.close();
            throw e;
        }
        this.calls = new RestClient(dialer, settings.qps(), settings.burst());
        Consumer<List<Update>> taking = updates -> {
            store.apply(updates);
            callbacks.applied().run();
        };
        ReflectorContext around = new ReflectorContext(
                dialer, apiTimeouts, outage, store::has, taking, this::completed, this::answers, this::shown);
        for (Resource resource : wanted.resources()) {
            reflectors.add(new Reflector(resource, format, around, supervisor.heartbeat(component(resource))));
        }
        this.hangs = new HangProbe(
                dialer,
                apiTimeouts,
                reflectors.stream().map(Reflector::connection).toList());
        this.lastStatus = new ClusterStatus(false, platform.instant(), Optional.empty(), dialer.tlsName(), List.of());
    }

    private static Component component(Resource resource) {
        return switch (resource.kind()) {
            case SERVICE -> Component.SERVICES;
            case ENDPOINT_SLICE -> Component.ENDPOINT_SLICES;
            case NODE -> Component.NODES;
            case SERVICE_CIDR -> Component.SERVICE_CIDRS;
            default -> throw new IllegalArgumentException("nothing follows " + resource.name());
        };
    }

    /**
     * Begins to read; returns at once, whether or not the server is reachable.
     *
     * @throws IllegalArgumentException if the configured proxy cannot be used; the message gives the reason
     * @throws IOException if the system has no file descriptors or threads for connections; the message gives the reason
     */
    public static ClusterSource start(
            ClusterAccess access,
            Credentials credentials,
            ClusterSettings settings,
            Wanted wanted,
            Store store,
            Callbacks callbacks,
            Network network,
            Supervisor supervisor)
            throws IOException {
        return new ClusterSource(
                        access, credentials, settings, wanted, store, callbacks, network, ApiTimeouts.USUAL, supervisor)
                .begin();
    }

    ClusterSource begin() {
        LOG.info("reading from API server server={} tls={} format={}", dialer.serverName(), dialer.tlsName(), format);
        loop.execute(() -> reflectors.forEach(Reflector::request));
        loop.repeat(this::check, apiTimeouts.checkPeriod());
        return this;
    }

    private void check() {
        reflectors.forEach(Reflector::lookAfter);
        hangs.check();
    }

    /**
     * Returns {@link System#nanoTime} when bytes last arrived from the API server, on any connection; empty before the first. While the
     * server is reachable that is less than about half a minute ago: an idle address is probed with a request for its version. Thread-safe.
     */
    public OptionalLong lastContact() {
        return dialer.lastContact();
    }

    /** The client for single requests: node status, pod status, events. */
    public RestClient calls() {
        return calls;
    }

    /** Whether all resources have been read completely, once. */
    public boolean synced() {
        return complete;
    }

    private void answers() {
        reflectors.forEach(Reflector::tryNow);
    }

    private boolean shown() {
        return reflectors.stream().anyMatch(Reflector::isShown);
    }

    private void completed() {
        if (complete || !reflectors.stream().allMatch(Reflector::isComplete)) {
            return;
        }
        complete = true;
        completeSince = platform.steady().instant();
        Store.Size size = store.size();
        LOG.info(
                "everything read services={} slices={} nodes={} ms={}",
                size.services(),
                size.slices(),
                size.nodes(),
                Duration.between(started, completeSince).toMillis());
        store.markSynced();
    }

    /** Returns the current status; slightly outdated when the thread {@code api} is busy. Thread-safe. */
    public ClusterStatus status() {
        if (loop.isOnThread()) {
            return statusNow();
        }
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        CompletableFuture<Boolean> before = lastAsked.getAndUpdate(one -> one.isDone() ? answer : one);
        if (!before.isDone()) {
            // An earlier status request has not been answered yet.
            return lastStatus;
        }
        boolean open = loop.offer(() -> {
            lastStatus = statusNow();
            answer.complete(true);
        });
        if (!open) {
            answer.complete(false);
            return lastStatus;
        }
        try {
            boolean ignored = platform.await(answer, STATUS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return lastStatus;
    }

    private ClusterStatus statusNow() {
        Optional<ResourceFailure> failure = outage.worst();
        return new ClusterStatus(
                complete,
                inSystemTime(failure.flatMap(ignored -> outage.since())
                        .orElse(outage.over().orElse(completeSince))),
                failure,
                dialer.tlsName(),
                reflectors.stream().map(Reflector::status).toList());
    }

    /** For people: the system's clock may have been set since. */
    private Instant inSystemTime(Instant steady) {
        return platform.instant()
                .minus(Duration.between(steady, platform.steady().instant()));
    }

    /** Closes the connections and ends the threads; the store stays as it is. */
    @Override
    public void close() {
        Platform.Latch closed = platform.latch();
        boolean open = loop.offer(() -> {
            reflectors.forEach(Reflector::close);
            calls.close();
            hangs.close();
            closed.open();
        });
        try {
            boolean ignored = open && closed.await(CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        loop.close();
    }
}
