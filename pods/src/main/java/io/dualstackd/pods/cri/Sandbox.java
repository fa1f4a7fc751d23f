package io.dualstackd.pods.cri;

import java.util.Map;
import java.util.Optional;

/**
 * A sandbox as in a list: without addresses.
 *
 * @param id the runtime's, opaque
 * @param metadata empty when the runtime did not report its pod
 * @param createdAt nanoseconds since the epoch; negative when the runtime failed to start it
 * @param labels the pod's labels and kubelet's own
 */
public record Sandbox(
        String id,
        Optional<SandboxMetadata> metadata,
        SandboxState state,
        long createdAt,
        Map<String, String> labels,
        Map<String, String> annotations) {

    public Sandbox {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }
}
