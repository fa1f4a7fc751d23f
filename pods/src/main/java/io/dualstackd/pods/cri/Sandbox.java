package io.dualstackd.pods.cri;

import java.util.Map;
import java.util.Optional;

/**
 * A sandbox as in a list: without addresses.
 *
 * @param id the runtime's, opaque
 * @param metadata empty when the runtime did not report its pod
 * @param ready whether it holds its pod's network
 * @param createdAt nanoseconds since the epoch; negative when the runtime failed to start it
 * @param labels the pod's labels and kubelet's own
 */
public record Sandbox(
        String id, Optional<Metadata> metadata, boolean ready, long createdAt, Map<String, String> labels) {

    /**
     * Identifies the pod a sandbox is for.
     *
     * @param name of the pod
     * @param uid of the pod
     * @param namespace of the pod
     * @param attempt counts from 0 for one pod, at most 2<sup>32</sup>-1; a higher one is newer, whatever the creation times are
     */
    public record Metadata(String name, String uid, String namespace, long attempt) {}

    public Sandbox {
        labels = Map.copyOf(labels);
    }
}
