package io.dualstackd.admin;

import io.dualstackd.admin.explain.Explainer;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.admin.pods.PodsReport;
import io.dualstackd.standalone.edit.ManifestEditor;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sources of answers. Each is called for every request, from several threads, and must not block.
 *
 * @param status the state of the daemon
 * @param pods empty when no container runtime is followed
 * @param objects empty when no objects are kept
 * @param editing empty where nothing can be changed; may block as long as disk writes take
 * @param explains empty where packets cannot be explained; may block as long as the kernel takes to answer
 */
public record AdminSources(
        Supplier<StatusReport> status,
        Supplier<Optional<PodsReport>> pods,
        Supplier<Optional<ObjectsReport>> objects,
        Optional<ManifestEditor> editing,
        Optional<Explainer> explains) {
    /** Sources with only the status. */
    public static AdminSources of(Supplier<StatusReport> status) {
        return new AdminSources(status, Optional::empty, Optional::empty, Optional.empty(), Optional.empty());
    }
}
