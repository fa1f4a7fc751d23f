package io.dualstackd.kubeapi.objects;

import java.util.List;
import java.util.Map;

/**
 * The pods that serve a Service, and their ports.
 *
 * @param labels labels that a pod must have, all of them; never empty
 * @param targets {@code targetPort} of each port, in the order of {@code spec.ports}
 * @param publishNotReady pods that are not ready count as ready
 */
public record PodSelector(Map<String, String> labels, List<Target> targets, boolean publishNotReady) {
    public PodSelector {
        labels = Map.copyOf(labels);
        targets = List.copyOf(targets);
    }

    /** The destination of connections in a pod. */
    public sealed interface Target {
        /** A number, 1 to 65535. */
        record Numbered(int port) implements Target {}

        /** A port that the pod's containers declare under this name. */
        record Named(String name) implements Target {}
    }

    /** Whether a pod with these labels is selected. */
    public boolean matches(Map<String, String> podLabels) {
        return podLabels.entrySet().containsAll(labels.entrySet());
    }
}
