package io.dualstackd.pods.cri;

import java.util.Map;
import java.util.Optional;

/**
 * A container as a list shows it.
 *
 * @param id the runtime's, opaque
 * @param sandboxId the sandbox it runs in
 * @param createdAt nanoseconds since the epoch
 * @param annotations kubelet's own; the container's ports are in one of them
 */
public record Container(
        String id,
        String sandboxId,
        Optional<ContainerMetadata> metadata,
        ContainerState state,
        long createdAt,
        Map<String, String> labels,
        Map<String, String> annotations) {

    public Container {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }
}
