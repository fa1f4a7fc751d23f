package io.dualstackd.agent.admin.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodContainer;
import io.dualstackd.pods.cri.ContainerState;
import java.util.List;
import java.util.stream.Collectors;

/** Columns of pods, as {@code kubectl} prints them. */
final class PodColumns {
    private PodColumns() {}

    static String status(Pod pod) {
        if (!pod.sandbox().ready()) {
            return "SandboxNotReady";
        } else if (!pod.isAlive()) {
            return "Completed";
        }
        return pod.isReady() ? "Running" : "ContainerCreating";
    }

    /** The number of running containers and of all containers. */
    static String ready(Pod pod) {
        long running = pod.containers().stream()
                .filter(c -> pod.sandbox().ready() && c.state() == ContainerState.RUNNING)
                .count();
        return running + "/" + pod.containers().size();
    }

    static long restarts(Pod pod) {
        return pod.containers().stream().mapToLong(PodContainer::restarts).sum();
    }

    static String joined(List<Ip> ips) {
        return ips.isEmpty() ? "<none>" : ips.stream().map(Ip::toString).collect(Collectors.joining(","));
    }
}
