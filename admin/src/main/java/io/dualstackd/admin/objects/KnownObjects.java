package io.dualstackd.admin.objects;

import io.dualstackd.admin.pods.PodObjects;
import io.dualstackd.admin.pods.PodsReport;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.List;
import java.util.Optional;

/**
 * All objects that can be listed.
 *
 * @param report the objects in force
 * @param pods of this node; empty when no container runtime is followed
 * @param node this node, as a {@code v1/Node} object
 */
public record KnownObjects(ObjectsReport report, Optional<PodsReport> pods, Tree.Mapping node) {
    /** All objects of one kind, in the order in which they are printed. */
    List<KnownObject> all(ObjectKind kind) {
        return switch (kind) {
            case SERVICES, ENDPOINT_SLICES, ENDPOINTS, SERVICE_CIDRS, IP_ADDRESSES, EVENTS -> report.all(kind);
            case PODS ->
                pods.stream()
                        .flatMap(known -> known.pods().all().stream()
                                .map(pod -> new KnownObject(
                                        kind,
                                        pod.namespace(),
                                        pod.name(),
                                        Optional.of(pod.sandbox().createdAt()),
                                        PodObjects.one(known, pod))))
                        .toList();
            case NODES -> List.of(ownNode());
        };
    }

    /** With a manifest of its own, more is known of it than what is in force. */
    private KnownObject ownNode() {
        String name = KnownObject.text(node, "metadata", "name");
        boolean isInManifest =
                ObjectKind.NODES.key("", name).flatMap(report.whole().texts()).isPresent();
        return new KnownObject(ObjectKind.NODES, "", name, Optional.empty(), node, !isInManifest);
    }

    /** Why no object of this kind can be listed; empty when they can be. */
    Optional<String> unknown(ObjectKind kind) {
        return switch (kind) {
            case PODS ->
                pods.isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                "pods are not known: the daemon follows no container runtime; start it with --cri ENDPOINT");
            case IP_ADDRESSES, EVENTS ->
                report.whole().areElsewhere()
                        ? Optional.of(kind.plural() + " are not kept here: the API server has them; 'kubectl get "
                                + kind.plural() + "' lists them")
                        : Optional.empty();
            case SERVICES, ENDPOINT_SLICES, ENDPOINTS, SERVICE_CIDRS, NODES -> Optional.empty();
        };
    }
}
