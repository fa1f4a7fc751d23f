package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.client.ListWatchRequest;
import io.dualstackd.kubeapi.client.Outage;
import io.dualstackd.kubeapi.client.RequestObserver;
import io.dualstackd.kubeapi.client.Resource;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.snapshot.SnapshotReader;
import io.dualstackd.kubeapi.snapshot.io.SnapshotFile;
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
    private final Optional<SnapshotFile> snapshot;
    private final Callbacks callbacks;
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
    private boolean nodeRead;
    /** Nearly everything that is read from a snapshot is kept, so its end is soon enough for the callback. */
    private boolean restoring;

    private volatile ClusterStatus lastStatus;
    /** Completed when the thread {@code api} has answered the last status request. */
    private final AtomicReference<CompletableFuture<Boolean>> lastAsked =
            new AtomicReference<>(CompletableFuture.completedFuture(true));

    /**
     * The resources to read.
     *
     * @param nodeName of the own Node object
     * @param serviceCidrs include the networks of ClusterIPs: only nftables mode needs them
     * @param snapshot Services and slices of the former process, and for the next one; empty without a state directory
     */
    public record Wanted(String nodeName, boolean serviceCidrs, Optional<SnapshotFile> snapshot) {
        /** Reads everything from the server. */
        public Wanted(String nodeName, boolean serviceCidrs) {
            this(nodeName, serviceCidrs, Optional.empty());
        }

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
        this.snapshot = wanted.snapshot();
        this.callbacks = callbacks;
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
            if (!restoring) {
                callbacks.applied().run();
            }
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
        loop.execute(this::first);
        loop.repeat(this::check, apiTimeouts.checkPeriod());
        return this;
    }

    /** Sends the first requests. */
    private void first() {
        snapshot.flatMap(SnapshotFile::take).ifPresent(saved -> {
            restoring = true;
            restore(saved);
            restoring = false;
            callbacks.applied().run();
        });
        reflectors.forEach(Reflector::request);
    }

    /** Puts the objects of the former process into the store; what cannot be read is listed. */
    private void restore(SnapshotReader saved) {
        Instant begun = platform.steady().instant();
        try (saved) {
            for (var part = saved.next(); part.isPresent(); part = saved.next()) {
                Optional<Reflector> reader = reflector(part.get().target());
                if (reader.isEmpty()) {
                    LOG.info("saved objects are not used reason=\"other selectors\" next=\"read everything\"");
                    return;
                }
                reader.get().restore(saved, part.get().resourceVersion());
            }
            reflectors.getFirst().mustBeNewest();
            Store.Size size = store.size();
            LOG.info(
                    "objects of the former process restored services={} slices={} ms={}",
                    size.services(),
                    size.slices(),
                    Duration.between(begun, platform.steady().instant()).toMillis());
        } catch (IOException | RuntimeException e) {
            LOG.error("saved objects cannot be read, reading everything", e);
        }
    }

    private Optional<Reflector> reflector(String target) {
        return reflectors.stream()
                .filter(reflector ->
                        ListWatchRequest.selection(reflector.resource()).equals(target))
                .findFirst();
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
        // The list of the own node, which is always read, shows how far the server is.
        if (!nodeRead && reflectors.getFirst().isComplete()) {
            nodeRead = true;
            reflectors.getFirst().version().ifPresent(version -> reflectors.forEach(one -> one.serverIsAt(version)));
        }
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

    /** Closes the connections, ends the threads, and saves a snapshot; the store stays as it is. */
    @Override
    public void close() {
        Platform.Latch closed = platform.latch();
        boolean open = loop.offer(() -> {
            reflectors.forEach(Reflector::close);
            calls.close();
            hangs.close();
            closed.open();
        });
        boolean done = false;
        try {
            done = open && closed.await(CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        loop.close();
        if (done) {
            snapshot.ifPresent(this::save);
        }
    }

    /** Only of what has many objects; and only when all of it can be saved, because a half would save little. */
    private void save(SnapshotFile file) {
        List<Reflector> saved = reflectors.stream()
                .filter(reflector -> switch (reflector.resource().kind()) {
                    case SERVICE, ENDPOINT_SLICE -> true;
                    case NODE, SERVICE_CIDR, IP_ADDRESS, ENDPOINTS -> false;
                })
                .toList();
        if (saved.stream().allMatch(Reflector::canBeSaved)) {
            OptionalLong contact = dialer.lastContact();
            Optional<Duration> ago = contact.isPresent()
                    ? Optional.of(Duration.ofNanos(loop.platform().nanoTime() - contact.getAsLong()))
                    : Optional.empty();
            file.write(ago, writer -> {
                for (Reflector reflector : saved) {
                    reflector.save(writer, store::reported);
                }
            });
        }
    }
}
