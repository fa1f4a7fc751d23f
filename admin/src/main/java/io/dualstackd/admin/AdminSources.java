package io.dualstackd.admin;

import io.dualstackd.admin.explain.Explainer;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.admin.pods.PodsReport;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.TranslatedFlows;
import io.dualstackd.standalone.edit.ManifestEditor;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The parts of the daemon from which requests on the admin socket are answered. Each is called for every request, from several threads,
 * and must not block.
 *
 * @param status the state of the daemon
 * @param pods empty when no container runtime is followed
 * @param objects empty when no objects are kept
 * @param editing empty where nothing can be changed; may block as long as disk writes take
 * @param explains empty where packets cannot be explained; may block as long as the kernel takes to answer
 * @param counts one for each family whose connections are counted; reading them blocks as long as the kernel takes to answer
 * @param flows the translated connections, one for each family; listing them blocks as long as the kernel takes to answer
 * @param log the last records of the daemon's log
 */
public record AdminSources(
        Supplier<StatusReport> status,
        Supplier<Optional<PodsReport>> pods,
        Supplier<Optional<ObjectsReport>> objects,
        Optional<ManifestEditor> editing,
        Optional<Explainer> explains,
        List<ConnectionCounts> counts,
        List<TranslatedFlows> flows,
        RecentLog log) {
    public AdminSources {
        counts = List.copyOf(counts);
        flows = List.copyOf(flows);
    }

    /** Sources that list no connections. */
    public AdminSources(
            Supplier<StatusReport> status,
            Supplier<Optional<PodsReport>> pods,
            Supplier<Optional<ObjectsReport>> objects,
            Optional<ManifestEditor> editing,
            Optional<Explainer> explains,
            List<ConnectionCounts> counts,
            RecentLog log) {
        this(status, pods, objects, editing, explains, counts, List.of(), log);
    }

    /** Sources with only the status. */
    public static AdminSources of(Supplier<StatusReport> status) {
        return new AdminSources(
                status,
                Optional::empty,
                Optional::empty,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                RecentLog.NONE);
    }
}
