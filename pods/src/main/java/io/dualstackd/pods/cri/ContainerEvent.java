package io.dualstackd.pods.cri;

import java.util.List;
import java.util.Optional;

/**
 * An event of a container, or of a sandbox when both ids are the same. Only a hint: runtimes lose events.
 *
 * @param containerId of a container or a sandbox
 * @param createdAt nanoseconds since the epoch
 * @param sandbox its current state; may be missing when the sandbox is gone
 * @param containers every container of the sandbox, in its current state
 */
public record ContainerEvent(
        String containerId,
        Type type,
        long createdAt,
        Optional<SandboxStatus> sandbox,
        List<ContainerStatus> containers) {

    /** The kind of event. */
    public enum Type {
        CREATED,
        STARTED,
        STOPPED,
        DELETED,
        /** A kind that this version has no name for. */
        OTHER
    }

    public ContainerEvent {
        containers = List.copyOf(containers);
    }

    /** True when the event is about the sandbox itself. */
    public boolean ofSandbox() {
        return sandbox.isPresent() && sandbox.get().id().equals(containerId);
    }
}
