package io.dualstackd.pods.cri;

import java.util.Map;
import java.util.Optional;

/**
 * A sandbox with the fields that only its status has.
 *
 * @param id the runtime's, opaque
 * @param metadata empty when the runtime did not report its pod
 * @param createdAt nanoseconds since the epoch; negative when the runtime failed to start it
 * @param network empty when the runtime left it out, which is not the same as present without addresses
 * @param networkMode {@link NamespaceMode#NODE} for pods on the host's network
 */
public record SandboxStatus(
        String id,
        Optional<SandboxMetadata> metadata,
        SandboxState state,
        long createdAt,
        Optional<NetworkStatus> network,
        NamespaceMode networkMode,
        Map<String, String> labels,
        Map<String, String> annotations) {

    public SandboxStatus {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }
}
