package io.dualstackd.agent.app;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The pod networks of this node, where they identify local traffic. In a cluster the first rules wait for them, as kube-proxy's do:
 * otherwise, traffic of pods would be treated as not local. Later changes of them are followed, but when the Node object goes, the pods stay,
 * and so do their networks, and in a cluster the node's zone, state and addresses: kubelet registers it again. Thread-safe.
 */
public final class PodNetworks {
    /** The time kube-proxy waits before it gives up. Here it counts from the API server's first answer. */
    public static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final DaemonSettings settings;
    private final Supplier<NodeSettings> live;
    private final Store store;
    /** The last known ones. */
    private volatile List<IpPrefix> known = List.of();

    private volatile Optional<Node> last = Optional.empty();
    /** The last one that had addresses. */
    private volatile Optional<Node> addressed = Optional.empty();

    /** @param live the current settings, which may change while the daemon runs */
    PodNetworks(DaemonSettings settings, Supplier<NodeSettings> live, Store store) {
        this.settings = settings;
        this.live = live;
        this.store = store;
    }

    /**
     * The node with the pod networks it had last, when it has none now; also when there is no such object any more. In a cluster it is then
     * the last one.
     */
    Optional<Node> withLastKnown(Optional<Node> node) {
        if (node.isPresent() && settings.source() instanceof SourceSettings.Cluster) {
            last = node;
        }
        Optional<Node> latest = node.or(() -> last);
        List<IpPrefix> now = latest.map(Node::podCidrs).orElse(List.of());
        if (!now.isEmpty()) {
            known = now;
            return latest;
        }
        return known.isEmpty()
                ? latest
                : Optional.of(latest.map(one -> one.withPodCidrs(known))
                        .orElseGet(() -> new Node(live.get().name(), "", known, List.of(), List.of(), false)));
    }

    /**
     * The node whose addresses count. In a cluster that is the last one that had any, also when the object is gone, or is registered again
     * and its addresses are not known yet: until then, node ports would be at other addresses.
     */
    Optional<Node> addressed(Optional<Node> node) {
        if (!(settings.source() instanceof SourceSettings.Cluster)) {
            return node;
        }
        if (node.filter(one -> !one.addresses().isEmpty()).isPresent()) {
            addressed = node;
        }
        return addressed.or(() -> node);
    }

    /** The reason to wait; empty when there is none. */
    Optional<String> awaited() {
        return awaited(live.get());
    }

    /** As {@link #awaited()}, with these settings in force. */
    Optional<String> awaited(NodeSettings wanted) {
        if (!(wanted.detectLocal() instanceof DetectLocal.NodeCidr(List<IpPrefix> given))
                || !(settings.source() instanceof SourceSettings.Cluster)
                || !store.isSynced()) {
            return Optional.empty();
        }
        String name = wanted.name();
        Optional<Node> node = store.node(name);
        List<IpPrefix> networks = withLastKnown(node).map(Node::podCidrs).orElse(List.of());
        if (Stream.concat(networks.stream(), given.stream())
                .anyMatch(network -> settings.families().contains(network.family()))) {
            return Optional.empty();
        }
        return Optional.of("detectLocalMode NodeCIDR waits for spec.podCIDRs of Node " + name + ": "
                + (node.isEmpty()
                        ? "there is no such Node; see --hostname-override"
                        : networks.isEmpty()
                                ? "it has none; does the controller manager run with --allocate-node-cidrs?"
                                : "they are " + networks + ", of a family this host does not have"));
    }

    /** Whether there is nothing to wait for. */
    boolean isKnown() {
        return awaited().isEmpty();
    }
}
