package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.function.Supplier;

/**
 * A kind of object and how to read it.
 *
 * @param kind as in the field {@code kind}
 * @param parts creates the reader of one object
 */
public record ObjectSchema<T>(String kind, boolean namespaced, Supplier<RawObject<T>> parts) {
    public static final ObjectSchema<PodAddresses> PODS = new ObjectSchema<>("Pod", true, RawPod::new);

    /** @throws IllegalArgumentException for a kind that is never requested from a server */
    public static ObjectSchema<? extends ApiObject> of(ObjectKey.Kind kind) {
        return switch (kind) {
            case SERVICE -> new ObjectSchema<>(kind.toString(), true, RawService::new);
            case ENDPOINT_SLICE -> new ObjectSchema<>(kind.toString(), true, RawEndpointSlice::new);
            case NODE -> new ObjectSchema<>(kind.toString(), false, RawNode::new);
            case SERVICE_CIDR -> new ObjectSchema<>(kind.toString(), false, RawServiceCidr::new);
            case IP_ADDRESS -> throw new IllegalArgumentException("nobody reads " + kind + " of a cluster");
        };
    }
}
