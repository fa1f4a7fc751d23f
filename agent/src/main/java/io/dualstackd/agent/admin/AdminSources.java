package io.dualstackd.agent.admin;

import io.dualstackd.agent.admin.objects.ObjectsReport;
import io.dualstackd.agent.admin.pods.PodsReport;
import io.dualstackd.agent.explain.Explainer;
import io.dualstackd.standalone.edit.ManifestEditor;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where answers come from. Each is asked for every question, from several threads, and must not block.
 *
 * @param status how the daemon is
 * @param pods empty when no container runtime is followed
 * @param objects empty when nobody keeps any
 * @param editing empty where nothing can be changed; may take as long as a disk does
 * @param explains empty where nobody knows about packets; may take as long as the kernel does
 */
public record AdminSources(
        Supplier<StatusReport> status,
        Supplier<Optional<PodsReport>> pods,
        Supplier<Optional<ObjectsReport>> objects,
        Optional<ManifestEditor> editing,
        Optional<Explainer> explains) {
    /** Nobody knows about packets. */
    public AdminSources(
            Supplier<StatusReport> status,
            Supplier<Optional<PodsReport>> pods,
            Supplier<Optional<ObjectsReport>> objects,
            Optional<ManifestEditor> editing) {
        this(status, pods, objects, editing, Optional.empty());
    }

    /** Nothing but how the daemon is. */
    public static AdminSources of(Supplier<StatusReport> status) {
        return new AdminSources(status, Optional::empty, Optional::empty, Optional.empty());
    }
}
