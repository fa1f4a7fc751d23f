package io.dualstackd.agent.admin.pods;

import io.dualstackd.agent.cri.ContainerState;
import io.dualstackd.agent.pod.Pod;
import io.dualstackd.agent.pod.PodContainer;
import io.dualstackd.netlink.ip.Ip;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Pods in the words {@code kubectl} uses. */
final class PodWords {
    private PodWords() {}

    static String status(Pod pod) {
        if (!pod.sandbox().ready()) {
            return "SandboxNotReady";
        } else if (!pod.isAlive()) {
            return "Completed";
        }
        return pod.isReady() ? "Running" : "ContainerCreating";
    }

    /** Running containers of all. */
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

    /** One or two units, the larger ones while they matter: {@code 45s}, {@code 3m20s}, {@code 5h}, {@code 12d}. */
    static String age(Instant from, Instant now) {
        long seconds = Math.max(0, Duration.between(from, now).toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        } else if (seconds < 600) {
            return seconds / 60 + "m" + (seconds % 60 == 0 ? "" : seconds % 60 + "s");
        } else if (seconds < 10_800) {
            return seconds / 60 + "m";
        }
        return seconds < 172_800 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
    }
}
