package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.pods.endpoint.PodRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Slices made from the pods of this node, as a controller would have written them. */
final class PodSliceObjects {
    private PodSliceObjects() {}

    /** @param serviceUid of the Service, where it has one */
    static KnownObject slice(GeneratedSlice made, Optional<String> serviceUid) {
        EndpointSlice slice = made.slice();
        List<Tree.Mapping> endpoints = new ArrayList<>();
        for (int i = 0; i < made.targets().size(); i++) {
            endpoints.add(endpoint(slice.endpoints().get(i), made.targets().get(i), made.zone()));
        }
        Tree.Mapping object = Tree.object("addressType", slice.addressType())
                .with("apiVersion", ObjectKind.ENDPOINT_SLICES.apiVersion())
                .with("endpoints", endpoints)
                .with("kind", ObjectKind.ENDPOINT_SLICES)
                .with(
                        "metadata",
                        Tree.object("generateName", slice.service().orElse("") + "-")
                                .with("labels", made.labels())
                                .with("name", slice.name())
                                .with("namespace", slice.namespace())
                                .with(
                                        "ownerReferences",
                                        List.of(owner(slice.service().orElse(""), serviceUid))))
                .with("ports", slice.ports().stream().map(StoredObjects::port).toList());
        return new KnownObject(ObjectKind.ENDPOINT_SLICES, slice.namespace(), slice.name(), Optional.empty(), object);
    }

    private static Tree.Mapping owner(String service, Optional<String> uid) {
        return Tree.object("apiVersion", "v1")
                .with("blockOwnerDeletion", true)
                .with("controller", true)
                .with("kind", "Service")
                .with("name", service)
                .with("uid", uid);
    }

    private static Tree.Mapping endpoint(EndpointSlice.Endpoint endpoint, PodRef pod, String zone) {
        Tree.Mapping shown = StoredObjects.endpoint(endpoint)
                .with(
                        "targetRef",
                        Tree.object("kind", "Pod")
                                .with("name", pod.name())
                                .with("namespace", pod.namespace())
                                .with("uid", pod.uid()));
        return zone.isEmpty() ? shown : shown.with("zone", zone);
    }
}
