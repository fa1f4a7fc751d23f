package io.dualstackd.pods.cri;

import java.util.Map;
import java.util.Optional;

/**
 * A container as a list shows it.
 *
 * @param id the runtime's, opaque
 * @param sandboxId the sandbox it runs in
 * @param annotations kubelet's own; the container's ports are in one of them
 */
public record Container(
        String id,
        String sandboxId,
        Optional<Metadata> metadata,
        ContainerState state,
        Map<String, String> annotations) {

    /**
     * Identifies a container within its pod.
     *
     * @param name as in the pod's spec
     * @param attempt how often it was restarted
     */
    public record Metadata(String name, long attempt) {}

    public Container {
        annotations = Map.copyOf(annotations);
    }
}
