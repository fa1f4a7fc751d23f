package io.dualstackd.node.report;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.nodeaddr.NodeStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The own Node as stored by the API server: the fields that may have to be written back.
 *
 * @param uid another one when the object was deleted and made again
 * @param addresses all of them, in order; types as stored
 * @param providedNodeIp annotation {@code alpha.kubernetes.io/provided-node-ip}
 * @param nodeIps annotation {@code dualstackd.io/node-ips}
 * @param taints complete, because a list of taints can only be written as a whole
 * @param providerId {@code spec.providerID}, from a cloud provider or kubelet's {@code --provider-id}; may be empty
 */
public record NodeObject(
        String name,
        String uid,
        String resourceVersion,
        List<Address> addresses,
        Optional<String> providedNodeIp,
        Optional<String> nodeIps,
        List<Tree> taints,
        String providerId) {
    /** Read by cloud providers: the addresses configured by the administrator. */
    static final String PROVIDED_NODE_IP = "alpha.kubernetes.io/provided-node-ip";

    /** The key of the taint that a cloud provider removes when it has initialized the node. */
    static final String UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

    /** An entry of {@code status.addresses}. */
    public record Address(String type, String address) {
        /** {@code InternalIP 10.0.0.1}. */
        @Override
        public String toString() {
            return type + " " + address;
        }
    }

    public NodeObject {
        addresses = List.copyOf(addresses);
        taints = List.copyOf(taints);
    }

    /** Reads a response of the API server in JSON; empty when it is not a Node. */
    public static Optional<NodeObject> read(String body) {
        return JsonTree.read(body.getBytes(StandardCharsets.UTF_8))
                .map(tree -> new Field(tree, "", new ProblemCollector("", 0)))
                .filter(node -> node.textOrEmpty("kind").equals("Node"))
                .map(NodeObject::of);
    }

    private static NodeObject of(Field node) {
        Optional<Field> metadata = node.object("metadata");
        Optional<Field> spec = node.object("spec");
        List<Field> addresses =
                node.object("status").map(status -> status.objects("addresses")).orElse(List.of());
        return new NodeObject(
                metadata.map(m -> m.textOrEmpty("name")).orElse(""),
                metadata.map(m -> m.textOrEmpty("uid")).orElse(""),
                metadata.map(m -> m.textOrEmpty("resourceVersion")).orElse(""),
                addresses.stream()
                        .map(entry -> new Address(entry.textOrEmpty("type"), entry.textOrEmpty("address")))
                        .toList(),
                metadata.flatMap(m -> m.object("annotations")).flatMap(all -> all.text(PROVIDED_NODE_IP)),
                metadata.flatMap(m -> m.object("annotations")).flatMap(all -> all.text(NodeStatus.WANTED)),
                spec.map(s -> s.objects("taints")).orElse(List.of()).stream()
                        .map(Field::tree)
                        .toList(),
                spec.map(s -> s.textOrEmpty("providerID")).orElse(""));
    }

    /** Whether a cloud provider manages the addresses of the node. kubelets may be given the id from the start, so that alone does not show it. */
    public boolean isProvided() {
        return !providerId.isEmpty() && !isTainted();
    }

    /** Whether it has the taint that makes it wait for its provider. */
    public boolean isTainted() {
        return taints.stream().anyMatch(NodeObject::isUninitialized);
    }

    static boolean isUninitialized(Tree taint) {
        return taint instanceof Tree.Mapping mapping
                && mapping.entries().get("key") instanceof Tree.Scalar key
                && key.text().equals(UNINITIALIZED);
    }
}
