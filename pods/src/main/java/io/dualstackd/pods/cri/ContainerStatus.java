package io.dualstackd.pods.cri;

import java.util.Map;
import java.util.Optional;

/**
 * A container with the fields that only its status has. Times are nanoseconds since the epoch, 0 means "not yet".
 *
 * @param id the runtime's, opaque
 * @param exitCode valid once {@code finishedAt} is not 0
 * @param reason one word that explains the state, or empty
 * @param message a sentence that explains the state, or empty
 */
public record ContainerStatus(
        String id,
        Optional<ContainerMetadata> metadata,
        ContainerState state,
        long createdAt,
        long startedAt,
        long finishedAt,
        int exitCode,
        String reason,
        String message,
        Map<String, String> labels,
        Map<String, String> annotations) {

    public ContainerStatus {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }
}
