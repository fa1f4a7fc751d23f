package io.dualstackd.agent.app;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.access.AccessException;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.ClusterAccessReader;
import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.client.io.ClusterSource;
import io.dualstackd.kubeapi.snapshot.io.SnapshotFile;
import io.dualstackd.kubeapi.store.ConflictProblems;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.sys.BootId;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.PodIpFigures;
import io.dualstackd.pages.metrics.RequestMeter;
import io.dualstackd.pages.metrics.ServerFigures;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An API server as the source of objects. Its objects cannot be changed here, so there is no editor and no ledger. */
final class ClusterModule implements ObjectSource {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private final ClusterAccessReader entrance;
    private Platform platform = Platform.system();
    private final SourceSettings.Cluster settings;
    private final ClusterSource.Wanted wanted;
    private final boolean deprecated;
    private final RequestMeter meter = new RequestMeter();
    /** Events from before the reports began; guarded by this. */
    private final List<ClusterEvent> early = new ArrayList<>();

    private volatile @Nullable Store followed;
    /** Used by the thread of the source. */
    private boolean nodeThere = true;

    private volatile boolean nodeSeen;

    private volatile @Nullable ClusterSource source;
    private volatile @Nullable ReportModule reports;

    private ClusterModule(
            ClusterAccessReader entrance,
            SourceSettings.Cluster settings,
            ClusterSource.Wanted wanted,
            boolean deprecated) {
        this.deprecated = deprecated;
        this.entrance = entrance;
        this.settings = settings;
        this.wanted = wanted;
    }

    /** @throws IOException when the server's address or our credentials are not configured; the message is for the user */
    static ClusterModule open(SourceSettings.Cluster cluster, DaemonSettings settings) throws IOException {
        return at(entrance(cluster), cluster, settings);
    }

    /** The API server at an address that is known, with no other configuration. */
    static ClusterModule at(ClusterAccessReader entrance, SourceSettings.Cluster cluster, DaemonSettings settings) {
        return new ClusterModule(
                entrance,
                cluster,
                new ClusterSource.Wanted(
                        settings.node().name(),
                        settings.mode() != ProxyMode.IPTABLES,
                        snapshot(entrance.access(), settings)),
                settings.mode() == ProxyMode.IPVS);
    }

    /**
     * The file with the objects of the former process. It is only used for the same boot, because after another one the first rules must not
     * be made of old objects; and for the same cluster: many clusters have a server of the same address, but each has authorities of its own.
     * A server whose certificate is not verified may be that of any cluster.
     */
    private static Optional<SnapshotFile> snapshot(ClusterAccess access, DaemonSettings settings) {
        if (!access.secure() || access.insecure()) {
            return Optional.empty();
        }
        try {
            String origin = "boot=%s server=%s authorities=%d externalIPs=%s"
                    .formatted(
                            BootId.current(), access.url(), access.authorities().hashCode(), settings.externalIps());
            return settings.state().isPresent()
                    ? Optional.of(SnapshotFile.in(settings.state().get(), origin))
                    : Optional.empty();
        } catch (IOException e) {
            LOG.warn("objects are not saved reason=\"{}\" next=\"each start reads everything\"", e.toString());
            return Optional.empty();
        }
    }

    /** @throws UnusableSource when the kubeconfig or the service account is missing or invalid */
    static ClusterAccessReader entrance(SourceSettings.Cluster cluster) throws UnusableSource {
        try {
            return ClusterAccessReader.find(cluster.api(), System.getenv());
        } catch (AccessException e) {
            throw new UnusableSource(String.valueOf(e.getMessage()), e, e.isNamed());
        }
    }

    @Override
    public void start(Store store, HeapKeeper heap, Effects effects, Supervisor supervisor) throws IOException {
        followed = store;
        platform = supervisor.platform();
        try {
            source = ClusterSource.start(
                    entrance.access(),
                    entrance.credentials(),
                    settings.api(),
                    wanted,
                    store,
                    new ClusterSource.Callbacks(() -> applied(store, heap), meter),
                    effects.api().get(),
                    supervisor);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void applied(Store store, HeapKeeper heap) {
        if (store.isSynced()) {
            heap.tidy();
            nodeIs(store.node(wanted.nodeName()).isPresent());
        } else {
            heap.reading();
        }
    }

    /** Logs when the Node object goes, or comes back. */
    private void nodeIs(boolean there) {
        nodeSeen |= there;
        if (there != nodeThere) {
            nodeThere = there;
            if (there) {
                LOG.info("there is a Node {} now", wanted.nodeName());
            } else {
                LOG.warn(missingNode());
            }
        }
    }

    @Override
    public void report(ReportModule.Subjects subjects, Supervisor supervisor) throws IOException {
        if (source != null) {
            ReportModule begun = ReportModule.start(source.calls(), settings.reports(), subjects, supervisor);
            if (deprecated) {
                begun.happened(ClusterEvent.ipvsDeprecated(wanted.nodeName()));
            }
            synchronized (this) {
                early.forEach(begun::happened);
                reports = begun;
            }
        }
    }

    @Override
    public void follow(NodeSettings now) {
        Optional.ofNullable(reports).ifPresent(begun -> begun.follow(now));
    }

    @Override
    public Optional<PodIpFigures> podIps() {
        return Optional.ofNullable(reports).flatMap(ReportModule::podIps);
    }

    @Override
    public synchronized void happened(ClusterEvent event) {
        if (reports == null) {
            early.add(event);
        } else {
            reports.happened(event);
        }
    }

    @Override
    public Optional<Duration> lastContact() {
        OptionalLong at = source == null ? OptionalLong.empty() : source.lastContact();
        return at.isPresent() ? Optional.of(Duration.ofNanos(platform.nanoTime() - at.getAsLong())) : Optional.empty();
    }

    @Override
    public String place() {
        return entrance.access().url();
    }

    @Override
    public Optional<String> outageReason() {
        return status().flatMap(now -> now.failure().map(resourceFailure -> words(resourceFailure, now.since())));
    }

    private String missingNode() {
        if (nodeSeen) {
            return "the Node " + wanted.nodeName()
                    + " was deleted: its zone, addresses and pod networks count as they were; kubelet registers it again when it is restarted";
        }
        return "there is no Node " + wanted.nodeName()
                + ": load balancers do not use this node, and no endpoint counts as local; see --hostname-override";
    }

    @Override
    public List<String> nodeProblems() {
        List<String> problems = new ArrayList<>();
        if (followed != null
                && followed.isSynced()
                && followed.node(wanted.nodeName()).isEmpty()) {
            problems.add(missingNode());
        }
        Optional.ofNullable(reports).flatMap(ReportModule::nodeProblem).ifPresent(problems::add);
        return problems;
    }

    @Override
    public Optional<Duration> outage() {
        return status().filter(now -> now.failure().isPresent())
                .map(now -> Duration.between(now.since(), platform.instant()));
    }

    private static String words(ResourceFailure resourceFailure, Instant since) {
        return "since " + since.truncatedTo(ChronoUnit.SECONDS) + ", rules stay as they are: " + resourceFailure.what()
                + "; " + resourceFailure.next();
    }

    /** The state of the connection to the server; empty before the start. */
    Optional<ClusterStatus> status() {
        return Optional.ofNullable(source).map(ClusterSource::status);
    }

    @Override
    public Optional<ServerFigures> server() {
        return status().map(now -> {
            boolean up = now.failure().isEmpty() && now.synced();
            return new ServerFigures(
                    up,
                    up ? Duration.ZERO : Duration.between(now.since(), platform.instant()),
                    now.resources(),
                    entrance.access().authority(),
                    meter);
        });
    }

    /** Objects of the server that cannot be used, or only in part. */
    @Override
    public List<Problem> problems() {
        Place.InFile services = Place.InFile.whole("services");
        return Stream.concat(
                        unreadable().stream(),
                        Optional.ofNullable(followed).stream()
                                .flatMap(store -> new ConflictProblems(key -> Optional.empty(), services)
                                        .of(store.disputes()).stream()))
                .toList();
    }

    private List<Problem> unreadable() {
        return status().map(now -> now.resources().stream()
                        .flatMap(resource -> resource.unreadable().stream()
                                .map(why -> Problem.error(Place.InFile.whole(resource.name()), "", why)))
                        .toList())
                .orElse(List.of());
    }

    @Override
    public Optional<ManifestEditor> editing() {
        return Optional.empty();
    }

    @Override
    public Optional<ServiceLedger> ledger() {
        return Optional.empty();
    }

    @Override
    public void close() {
        if (reports != null) {
            reports.close();
        }
        if (source != null) {
            source.close();
        }
    }
}
