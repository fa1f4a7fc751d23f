package io.dualstackd.pods.endpoint;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An EndpointSlice of pods of this node, as the EndpointSlice controller would write it to the API server.
 *
 * @param slice under the name it would have there; in the store it has another name, see {@link #isMade}
 * @param targets the pod of each endpoint
 * @param zone of all endpoints; may be empty
 */
public record GeneratedSlice(EndpointSlice slice, List<PodRef> targets, String zone) {
    /** Value of the label {@code endpointslice.kubernetes.io/managed-by}. */
    public static final String MANAGER = "endpointslice-controller.dualstackd.io";

    /** The suffix of its name in the store: no object of a source can have this in its name. */
    static final String MARK = "/";

    public GeneratedSlice {
        targets = List.copyOf(targets);
    }

    /** Whether a slice of the store was generated here and not read from a source. */
    public static boolean isMade(EndpointSlice stored) {
        return stored.name().endsWith(MARK);
    }

    /** The labels the controller would set. */
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
