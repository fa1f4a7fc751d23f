package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import java.util.Optional;

/**
 * A collection of the API that is listed and watched.
 *
 * @param name as in roles: {@code endpointslices.discovery.k8s.io}
 * @param path below the server's root: {@code /api/v1/services}
 * @param labels label selector; empty for all
 * @param fields field selector; empty for all
 * @param narrowing the field selector only saves traffic, and a server may not support its fields
 * @param optional a server may not have it, or not allow reading it, which is the same as an empty one
 */
public record Resource(
        ObjectKey.Kind kind,
        String name,
        String path,
        Optional<String> labels,
        Optional<String> fields,
        boolean narrowing,
        boolean optional) {

    /**
     * All Services that are for the node's default proxy and have an address. Servers before 1.31 do not support the field; they
     * send headless Services, too.
     */
    public static Resource services() {
        return new Resource(
                ObjectKey.Kind.SERVICE,
                "services",
                "/api/v1/services",
                Optional.of("!" + Service.PROXY_NAME_LABEL),
                Optional.of("spec.clusterIP!=None"),
                true,
                false);
    }

    /** All slices except those of headless Services. */
    public static Resource slices() {
        return new Resource(
                ObjectKey.Kind.ENDPOINT_SLICE,
                "endpointslices.discovery.k8s.io",
                "/apis/discovery.k8s.io/v1/endpointslices",
                Optional.of("!service.kubernetes.io/headless"),
                Optional.empty(),
                false,
                false);
    }

    /** The networks of ClusterIPs; servers before 1.33 may not have them. */
    public static Resource serviceCidrs() {
        return new Resource(
                ObjectKey.Kind.SERVICE_CIDR,
                "servicecidrs.networking.k8s.io",
                "/apis/networking.k8s.io/v1/servicecidrs",
                Optional.empty(),
                Optional.empty(),
                false,
                true);
    }

    /** One Node. */
    public static Resource node(String name) {
        return new Resource(
                ObjectKey.Kind.NODE,
                "nodes",
                "/api/v1/nodes",
                Optional.empty(),
                Optional.of("metadata.name=" + name),
                false,
                false);
    }

    /** The same without a selector that only saves traffic. */
    Resource wide() {
        return narrowing ? new Resource(kind, name, path, labels, Optional.empty(), false, optional) : this;
    }
}
