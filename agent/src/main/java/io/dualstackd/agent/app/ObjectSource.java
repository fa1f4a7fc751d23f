package io.dualstackd.agent.app;

import io.dualstackd.admin.objects.WholeObjects;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.kubeapi.access.io.ClusterAccessReader;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.report.ClusterEvent;
import io.dualstackd.node.report.EventSink;
import io.dualstackd.node.report.PodIpFigures;
import io.dualstackd.pages.metrics.ServerFigures;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.Unused;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The source of the daemon's objects. It is opened first, so that a source that cannot work stops the start, and started last. */
public interface ObjectSource extends EventSink, AutoCloseable {
    /**
     * Checks, without changing anything, that the configured source exists.
     *
     * @throws IOException when it does not; the message is for the user
     */
    static void require(DaemonSettings settings) throws IOException {
        switch (settings.source()) {
            case SourceSettings.Folder folder -> UnusableSource.requireFolder(Path.of(folder.path()));
            case SourceSettings.Cluster cluster -> ClusterModule.entrance(cluster);
        }
    }

    /** Opens the configured source. */
    static ObjectSource open(DaemonSettings settings) throws IOException {
        return switch (settings.source()) {
            case SourceSettings.Folder folder -> FolderSource.open(folder, settings);
            case SourceSettings.Cluster cluster -> ClusterModule.open(cluster, settings);
        };
    }

    /** The API server at an address that is known. */
    static ObjectSource of(ClusterAccessReader server, SourceSettings.Cluster cluster, DaemonSettings settings) {
        return ClusterModule.at(server, cluster, settings);
    }

    /** Keeps the store equal to the source until {@link #close}. */
    void start(Store store, HeapKeeper heap, Effects effects, Supervisor supervisor) throws IOException;

    /** Starts to report about this node to the source, if the source accepts reports; only after {@link #start}. */
    default void report(ReportModule.Subjects subjects, Supervisor supervisor) throws IOException {}

    /** Applies other settings of the node to what {@link #report} began. */
    default void follow(NodeSettings now) {}

    /** Figures of the comparison of pod statuses with the actual addresses, for metrics; empty when they are not compared. */
    default Optional<PodIpFigures> podIps() {
        return Optional.empty();
    }

    /** Reports an event to the API server once {@link #report} has been called, or keeps it here where there is none. */
    @Override
    void happened(ClusterEvent event);

    /** The events that are kept here, the newest last; empty where an API server keeps them. */
    default Optional<List<Event>> events() {
        return Optional.empty();
    }

    /**
     * Whether the Service {@code kube-system/kube-dns} is the daemon's own, or will be for all that is known. May be called from any
     * thread.
     */
    default boolean offersKubeDns() {
        return false;
    }

    /** The place in one word or path, for people. */
    String place();

    /** Why changes do not arrive now; empty while they do. */
    Optional<String> outageReason();

    /** What is wrong with the Node object of this node; whole sentences. */
    default List<String> nodeProblems() {
        return List.of();
    }

    /** The duration of the current outage; empty while changes arrive. */
    default Optional<Duration> outage() {
        return Optional.empty();
    }

    /** The time since the other side last sent anything; empty where there is no other side, or that is not known. */
    default Optional<Duration> lastContact() {
        return Optional.empty();
    }

    /** Figures of the connection to the API server, for metrics; empty without one. */
    default Optional<ServerFigures> server() {
        return Optional.empty();
    }

    /** The problems of the objects. */
    List<Problem> problems();

    /** Valid objects and files that are not used. May be called from any thread. */
    default Unused unused() {
        return Unused.NONE;
    }

    /** The objects as their authors wrote them, read for one request. */
    default WholeObjects whole() {
        return WholeObjects.ELSEWHERE;
    }

    /** The editor for changes by command; empty where the objects cannot be changed here. */
    Optional<ManifestEditor> editing();

    /** The ledger that assigns addresses to Services; empty when they are taken as they come. */
    Optional<ServiceLedger> ledger();

    @Override
    void close();
}
