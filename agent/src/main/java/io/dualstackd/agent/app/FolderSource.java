package io.dualstackd.agent.app;

import io.dualstackd.admin.objects.WholeObjects;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.dns.KubeDnsService;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.store.DestinationConflict;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.ObjectReference;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.RecordedEvents;
import io.dualstackd.standalone.ledger.io.LedgerMismatch;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.manifest.BuiltInService;
import io.dualstackd.standalone.manifest.ManifestEvents;
import io.dualstackd.standalone.manifest.Unused;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of manifests as the source of objects, with the addresses assigned to its Services. */
final class FolderSource implements ObjectSource {
    /** The interval at which the folder is read anyway, in case file notifications are lost. */
    private static final Duration RESCAN = Duration.ofSeconds(10);

    private final Path path;
    private final Optional<Path> state;
    private final Optional<ServiceLedger> ledger;
    private final Dialect dialect;
    private final AdmissionStage admission;
    private final Optional<BuiltInService> kubeDns;
    private final Optional<WrittenService> ownText;
    private final ObjectKey node;
    private final RecordedEvents events = new RecordedEvents(InstantSource.system());
    private volatile @Nullable ManifestFolder folder;
    private volatile @Nullable Store followed;

    private FolderSource(
            Path path,
            String nodeName,
            Optional<Path> state,
            Optional<ServiceLedger> ledger,
            Optional<DnsSettings> dns) {
        this.path = path;
        this.node = new ObjectKey(ObjectKey.Kind.NODE, "", nodeName);
        this.state = state;
        this.ledger = ledger;
        this.dialect = ledger.isPresent() ? Dialect.WRITTEN : Dialect.STORED;
        AdmissionStage ofFiles = ledger.<AdmissionStage>map(l -> l).orElse(AdmissionStage.NONE);
        Optional<List<Ip>> ips = dns.map(DnsSettings::clusterIps).filter(given -> !given.isEmpty());
        this.kubeDns = ips.map(
                given -> new BuiltInService(ofFiles, KubeDnsService.service(given, dialect), KubeDnsService.ORIGIN));
        this.ownText =
                ips.map(given -> KubeDnsService.service(given, Dialect.WRITTEN)).map(WrittenService.class::cast);
        this.admission = kubeDns.<AdmissionStage>map(stage -> stage).orElse(ofFiles);
    }

    static FolderSource open(SourceSettings.Folder folder, DaemonSettings settings) throws IOException {
        return new FolderSource(
                Path.of(folder.path()), settings.node().name(), settings.state(), ledger(settings), settings.dns());
    }

    private static Optional<ServiceLedger> ledger(DaemonSettings settings) throws IOException {
        if (settings.ledger().isEmpty()) {
            if (settings.state().isPresent()) {
                LedgerMismatch.checkUnused(settings.state().get());
            }
            return Optional.empty();
        }
        if (settings.state().isEmpty()) {
            throw new LedgerMismatch(
                    "--service-cluster-ip-range needs a --state-dir, in which the allocated addresses are recorded");
        }
        return Optional.of(
                ServiceLedger.open(settings.state().get(), settings.ledger().get()));
    }

    @Override
    public void start(Store store, HeapKeeper heap, Effects effects, Supervisor supervisor) {
        followed = store;
        ManifestEvents found =
                new ManifestEvents(events, node, key -> store.service(key).service());
        ManifestFolder.Progress progress = new ManifestFolder.Progress() {
            @Override
            public void fileRead() {
                heap.fileRead();
            }

            @Override
            public void allRead() {
                heap.allRead();
            }

            @Override
            public void applied(List<Problem> problems, Map<DestinationConflict, Problem> conflicts) {
                found.update(problems, conflicts);
            }
        };
        folder = ManifestFolder.watched(path, store, state, RESCAN, progress, dialect, admission, supervisor);
    }

    @Override
    public void happened(ClusterEvent event) {
        ObjectReference about = event.objectReference();
        String kind = about.namespace().isEmpty() ? about.kind() + " " : about.kind() + " " + about.namespace() + "/";
        events.record(
                ObjectKey.parse(kind + about.name()).orElse(node),
                event.warning() ? Event.Type.WARNING : Event.Type.NORMAL,
                event.reason(),
                event.note());
    }

    /** Those of the daemon, and what the ledger found. */
    @Override
    public Optional<List<Event>> events() {
        Stream<Event> ofLedger = ledger.stream().flatMap(kept -> kept.view().events().stream());
        return Optional.of(Stream.concat(ofLedger, events.all().stream())
                .sorted(Comparator.comparing(Event::last))
                .toList());
    }

    @Override
    public boolean offersKubeDns() {
        return kubeDns.filter(BuiltInService::isOffered).isPresent();
    }

    @Override
    public String place() {
        return path.toString();
    }

    /** A folder that cannot be listed is one of its {@link #problems}, too. */
    @Override
    public Optional<String> outageReason() {
        return Optional.ofNullable(folder).flatMap(ManifestFolder::unlisted);
    }

    @Override
    public List<Problem> problems() {
        return folder == null ? List.of() : folder.problems();
    }

    /** Entries of the folder that are no manifests, and slices of Services that are not in force. */
    @Override
    public Unused unused() {
        if (folder == null || followed == null) {
            return Unused.NONE;
        }
        List<Unused.Item> slices = followed.slicesWithoutService().stream()
                .filter(slice -> !GeneratedSlice.isMade(slice))
                .map(slice -> new Unused.Item(
                        slice.key().toString(),
                        "there is no Service " + slice.namespace() + "/"
                                + slice.service().orElse("") + " in force"))
                .toList();
        return folder.unused().and(Unused.of(slices));
    }

    @Override
    public WholeObjects whole() {
        return folder == null
                ? WholeObjects.ofManifests(key -> Optional.empty(), key -> Optional.empty())
                : WholeObjects.ofManifests(withOwn(folder.texts()), folder.since());
    }

    /** No manifest has the daemon's own Service; one that cannot be printed would keep all others from being printed. */
    private Function<ObjectKey, Optional<Tree.Mapping>> withOwn(Function<ObjectKey, Optional<Tree.Mapping>> texts) {
        return key -> texts.apply(key)
                .or(() -> ownText.filter(own -> own.key().equals(key) && offersKubeDns())
                        .map(WrittenService::tree));
    }

    @Override
    public Optional<ManifestEditor> editing() {
        return Optional.ofNullable(folder).map(ManifestFolder::commands);
    }

    @Override
    public Optional<ServiceLedger> ledger() {
        return ledger;
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
        ledger.ifPresent(ServiceLedger::close);
    }
}
