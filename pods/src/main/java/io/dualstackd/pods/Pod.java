package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.cri.ContainerState;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A pod of this node, as its newest sandbox tells.
 *
 * @param uid tells pods apart that had the same name one after the other
 * @param sandbox the newest one
 * @param onHostNetwork its addresses are the node's
 * @param ips what its status shows: one or two, of different families, the preferred one first; the last ones it had when it is over;
 *     none when it has none (yet)
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
     * @param process id of its first process, 0 when the runtime did not say
     * @param known false while the runtime has not said more of it than its name and state: it will be asked again
     */
    public record PodSandbox(String id, long attempt, Instant createdAt, boolean ready, int process, boolean known) {}

    /** The same with its sandbox over. */
    Pod ended() {
        PodSandbox over = new PodSandbox(
                sandbox.id(), sandbox.attempt(), sandbox.createdAt(), false, sandbox.process(), sandbox.known());
        return new Pod(namespace, name, uid, over, onHostNetwork, ips, labels, containers);
    }

    /** {@code namespace/name}. */
    public String fullName() {
        return namespace + "/" + name;
    }

    /**
     * False when nobody in it can answer any more: its sandbox is over, or every container it ever had is. The runtime can say this of
     * a pod long before an API server hears of it.
     */
    public boolean isAlive() {
        return sandbox.ready()
                && (containers.isEmpty() || containers.stream().anyMatch(c -> c.state() != ContainerState.EXITED));
    }

    /** True when something in it runs, or when it consists of its sandbox alone. */
    public boolean isReady() {
        return sandbox.ready()
                && (containers.isEmpty() || containers.stream().anyMatch(c -> c.state() == ContainerState.RUNNING));
    }
}
