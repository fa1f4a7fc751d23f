package io.dualstackd.pods.cri;

import java.util.Map;
import java.util.Optional;

/**
 * A container with what only a look at it tells. Times are nanoseconds since the epoch, 0 means "not yet".
 *
 * @param id the runtime's, opaque
 * @param exitCode means something once {@code finishedAt} is not 0
 * @param reason one word why it is in this state, or empty
 * @param message a sentence why it is in this state, or empty
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
