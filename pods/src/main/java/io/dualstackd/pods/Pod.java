package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.cri.ContainerState;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A pod of this node, as described by its newest sandbox.
 *
 * @param uid distinguishes pods that had the same name one after the other
 * @param sandbox the newest one
 * @param onHostNetwork its addresses are the node's
 * @param ips the addresses its status shows: one or two, of different families, the preferred one first; after the pod has ended, its last
 *     addresses; none when it has none (yet)
 * @param labels without kubelet's own
 * @param containers by name
 */
public record Pod(
        String namespace,
        String name,
        String uid,
        PodSandbox sandbox,
        boolean onHostNetwork,
        List<Ip> ips,
        Map<String, String> labels,
        List<PodContainer> containers) {
    public Pod {
        ips = List.copyOf(ips);
        labels = Map.copyOf(labels);
        containers = List.copyOf(containers);
    }

    /**
     * The newest sandbox of a pod.
     *
     * @param attempt counts from 0
     * @param ready it holds the pod's network
     * @param process id of its first process, 0 when the runtime did not report it
     * @param known false while the runtime has reported only its name and state: its status will be requested again
     * @param ofKubelet kubelet made it, which puts containers into each of its sandboxes
     */
    public record PodSandbox(
            String id, long attempt, Instant createdAt, boolean ready, int process, boolean known, boolean ofKubelet) {}

    /** Returns the same pod with its sandbox ended. */
    Pod ended() {
        PodSandbox over = new PodSandbox(
                sandbox.id(),
                sandbox.attempt(),
                sandbox.createdAt(),
                false,
                sandbox.process(),
                sandbox.known(),
                sandbox.ofKubelet());
        return new Pod(namespace, name, uid, over, onHostNetwork, ips, labels, containers);
    }

    /** Returns the same pod with other addresses. */
    Pod with(List<Ip> others) {
        return new Pod(namespace, name, uid, sandbox, onHostNetwork, others, labels, containers);
    }

    /** {@code namespace/name}. */
    public String fullName() {
        return namespace + "/" + name;
    }

    /**
     * False when the pod can no longer answer: its sandbox has ended, or every container it ever had has. The runtime can report this long
     * before the API server does.
     */
    public boolean isAlive() {
        return sandbox.ready()
                && (containers.isEmpty() || containers.stream().anyMatch(c -> c.state() != ContainerState.EXITED));
    }

    /** True when a container of the pod runs. A sandbox alone is ready, unless kubelet made it: then its first container is yet to come. */
    public boolean isReady() {
        return sandbox.ready()
                && (containers.isEmpty()
                        ? !sandbox.ofKubelet()
                        : containers.stream().anyMatch(c -> c.state() == ContainerState.RUNNING));
    }
}
