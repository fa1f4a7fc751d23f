package io.dualstackd.pods.endpoint;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An EndpointSlice of pods of this node, as a controller would have written it for the API server.
 *
 * @param slice under the name it would have there; the store holds it under another one, {@link #isMade}
 * @param targets the pod of each endpoint
 * @param zone of all endpoints; may be empty
 */
public record GeneratedSlice(EndpointSlice slice, List<PodRef> targets, String zone) {
    /** Value of the label {@code endpointslice.kubernetes.io/managed-by}. */
    public static final String MANAGER = "endpointslice-controller.dualstackd.io";

    /** Ends the name under which the store has it: no object of a source can have that in its name. */
    static final String MARK = "/";

    public GeneratedSlice {
        targets = List.copyOf(targets);
    }

    /** Whether a slice of the store was made here and not by a source. */
    public static boolean isMade(EndpointSlice stored) {
        return stored.name().endsWith(MARK);
    }

    /** The labels a controller gives it. */
    public Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        labels.put("endpointslice.kubernetes.io/managed-by", MANAGER);
        slice.service().ifPresent(service -> labels.put("kubernetes.io/service-name", service));
        if (slice.headless()) {
            labels.put("service.kubernetes.io/headless", "");
        }
        return labels;
    }
}
