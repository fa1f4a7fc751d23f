package io.dualstackd.agent.admin.objects;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.print.OutputValue;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.pods.endpoint.PodRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Slices made from the pods of this node, as a controller would have written them. */
final class PodSliceObjects {
    private PodSliceObjects() {}

    /** @param serviceUid of the Service, where it has one */
    static KnownObject slice(GeneratedSlice made, Optional<String> serviceUid) {
        EndpointSlice slice = made.slice();
        OutputValue.Fields labels = OutputValue.object();
        for (Map.Entry<String, String> label : made.labels().entrySet()) {
            labels = labels.with(label.getKey(), label.getValue());
        }
        List<OutputValue.Fields> endpoints = new ArrayList<>();
        for (int i = 0; i < made.targets().size(); i++) {
            endpoints.add(endpoint(slice.endpoints().get(i), made.targets().get(i), made.zone()));
        }
        OutputValue.Fields object = OutputValue.object()
                .with("addressType", slice.addressType().toString())
                .with("apiVersion", ObjectKind.ENDPOINT_SLICES.apiVersion())
                .with("endpoints", endpoints)
                .with("kind", ObjectKind.ENDPOINT_SLICES.toString())
                .with(
                        "metadata",
                        OutputValue.object()
                                .with("generateName", slice.service().orElse("") + "-")
                                .with("labels", labels)
                                .with("name", slice.name())
                                .with("namespace", slice.namespace())
                                .with(
                                        "ownerReferences",
                                        List.of(owner(slice.service().orElse(""), serviceUid))))
                .with("ports", slice.ports().stream().map(StoredObjects::port).toList());
        return new KnownObject(ObjectKind.ENDPOINT_SLICES, slice.namespace(), slice.name(), Optional.empty(), object);
    }

    private static OutputValue.Fields owner(String service, Optional<String> uid) {
        return OutputValue.object()
                .with("apiVersion", "v1")
                .with("blockOwnerDeletion", true)
                .with("controller", true)
                .with("kind", "Service")
                .with("name", service)
                .with("uid", uid);
    }

    private static OutputValue.Fields endpoint(EndpointSlice.Endpoint endpoint, PodRef pod, String zone) {
        OutputValue.Fields shown = StoredObjects.endpoint(endpoint)
                .with(
                        "targetRef",
                        OutputValue.object()
                                .with("kind", "Pod")
                                .with("name", pod.name())
                                .with("namespace", pod.namespace())
                                .with("uid", pod.uid()));
        return zone.isEmpty() ? shown : shown.with("zone", zone);
    }
}
