package io.dualstackd.pods.cri;

import java.util.List;
import java.util.Optional;

/**
 * Something happened to a container, or to a sandbox when both ids are the same. A hint only: runtimes lose events.
 *
 * @param containerId of a container or a sandbox
 * @param createdAt nanoseconds since the epoch
 * @param sandbox as it is now; may be missing when the sandbox is gone
 * @param containers every container of the sandbox, as they are now
 */
public record ContainerEvent(
        String containerId,
        Type type,
        long createdAt,
        Optional<SandboxStatus> sandbox,
        List<ContainerStatus> containers) {

    /** What happened. */
    public enum Type {
        CREATED,
        STARTED,
        STOPPED,
        DELETED,
        /** Something that this version has no name for. */
        OTHER
    }

    public ContainerEvent {
        containers = List.copyOf(containers);
    }

    /** It happened to the sandbox itself. */
    public boolean ofSandbox() {
        return sandbox.isPresent() && sandbox.get().id().equals(containerId);
    }
}
