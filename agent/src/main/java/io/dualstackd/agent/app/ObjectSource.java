package io.dualstackd.agent.app;

import io.dualstackd.agent.admin.objects.WholeObjects;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.health.HealthPortListener;
import io.dualstackd.agent.metrics.ServerFigures;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.node.report.PodIpFigures;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where the objects of a daemon come from. Opened first, so that what cannot work stops the start; started last. */
public interface ObjectSource extends AutoCloseable {
    /**
     * Looks whether the source that the settings name is there, and changes nothing by looking.
     *
     * @throws IOException when it is not; the message is for the user
     */
    static void require(DaemonSettings settings) throws IOException {
        switch (settings.source()) {
            case SourceSettings.Folder folder -> UnusableSource.requireFolder(Path.of(folder.path()));
            case SourceSettings.Cluster cluster -> ClusterModule.entrance(cluster);
        }
    }

    /** Opens what the settings name. */
    static ObjectSource open(DaemonSettings settings) throws IOException {
        return switch (settings.source()) {
            case SourceSettings.Folder folder -> FolderSource.open(folder, settings);
            case SourceSettings.Cluster cluster -> ClusterModule.open(cluster, settings);
        };
    }

    /** Keeps the store equal to the source until {@link #close}. */
    void start(Store store, HeapKeeper heap, Supervisor supervisor) throws IOException;

    /** Begins to tell the source about this node, where it is somebody who listens; only once started. */
    default void report(ReportModule.Subjects subjects, Supervisor supervisor) throws IOException {}

    /** How statuses of pods compare with what is true, for metrics; empty when nobody compares. */
    default Optional<PodIpFigures> podIps() {
        return Optional.empty();
    }

    /** Hears of health-check node ports that cannot be opened. */
    default Optional<HealthPortListener> healthPorts() {
        return Optional.empty();
    }

    /** In one word or path, for people. */
    String place();

    /** Why news do not come now; empty while they do. */
    Optional<String> trouble();

    /** How long news have not come; empty while they do. */
    default Optional<Duration> outage() {
        return Optional.empty();
    }

    /** How long ago the other side last said anything; empty where there is none, or that is not known. */
    default Optional<Duration> lastContact() {
        return Optional.empty();
    }

    /** How it stands with the API server, for metrics; empty without one. */
    default Optional<ServerFigures> server() {
        return Optional.empty();
    }

    /** What is wrong with the objects. */
    List<Problem> problems();

    /** Objects as their authors wrote them, for one question. */
    default WholeObjects whole() {
        return WholeObjects.ELSEWHERE;
    }

    /** For changes by command; empty where others decide about objects. */
    Optional<ManifestEditor> editing();

    /** Who gives Services their addresses; empty when they are taken as they come. */
    Optional<ServiceLedger> ledger();

    @Override
    void close();
}
