package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All pods of this node at one moment.
 *
 * @param all by namespace, then name; of pods with one name the newest first
 * @param nodeIps the node's own addresses, if a pod is on the host's network and they are known
 */
public record Pods(List<Pod> all, List<Ip> nodeIps) {
    private static final Comparator<Pod> ORDER = Comparator.comparing(Pod::namespace)
            .thenComparing(Pod::name)
            .thenComparing(pod -> pod.sandbox().createdAt(), Comparator.reverseOrder())
            .thenComparing(Pod::uid);

    /** No pods, or the runtime has not listed them yet. */
    public static final Pods NONE = new Pods(List.of());

    public Pods {
        all = all.stream().sorted(ORDER).toList();
        nodeIps = List.copyOf(nodeIps);
    }

    /** Pods on a node whose addresses are not known. */
    public Pods(List<Pod> all) {
        this(all, List.of());
    }

    /** The newest pod of this name. */
    public Optional<Pod> find(String namespace, String name) {
        return all.stream()
                .filter(pod -> pod.namespace().equals(namespace) && pod.name().equals(name))
                .findFirst();
    }

    /** Returns the same pods with these sandboxes ended, although the runtime has not reported it yet. */
    public Pods withEnded(Set<String> sandboxes) {
        return sandboxes.isEmpty()
                ? this
                : new Pods(
                        all.stream()
                                .map(pod -> sandboxes.contains(pod.sandbox().id()) ? pod.ended() : pod)
                                .toList(),
                        nodeIps);
    }

    /**
     * Returns the same pods with the addresses at which they can be reached now: on the host's network those of the node, which their status
     * does not follow.
     */
    public Pods reachable() {
        return nodeIps.isEmpty()
                ? this
                : new Pods(
                        all.stream()
                                .map(pod -> pod.onHostNetwork() ? pod.with(PodIps.present(pod.ips(), nodeIps)) : pod)
                                .toList(),
                        nodeIps);
    }

    /** The addresses of pods that are alive, without the node's own. */
    public Set<Ip> liveIps() {
        return all.stream()
                .filter(pod -> !pod.onHostNetwork() && pod.isAlive())
                .flatMap(pod -> pod.ips().stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
