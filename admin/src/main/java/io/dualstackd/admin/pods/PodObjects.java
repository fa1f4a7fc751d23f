package io.dualstackd.admin.pods;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodContainer;
import io.dualstackd.pods.cri.ContainerState;
import java.util.List;
import java.util.TreeMap;

/** Pods as {@code v1/Pod} objects, with the fields that a node knows. */
public final class PodObjects {
    private PodObjects() {}

    /** Returns all pods as a {@code v1/List}. */
    public static Tree list(PodsReport report) {
        return Tree.object("apiVersion", "v1")
                .with("kind", "List")
                .with(
                        "items",
                        report.pods().all().stream()
                                .map(pod -> one(report, pod))
                                .toList());
    }

    public static Tree.Mapping one(PodsReport report, Pod pod) {
        return Tree.object("apiVersion", "v1")
                .with("kind", "Pod")
                .with("metadata", metadata(pod))
                .with("spec", spec(report, pod))
                .with("status", status(report, pod));
    }

    private static Tree metadata(Pod pod) {
        Tree.Mapping metadata = Tree.object("name", pod.name())
                .with("namespace", pod.namespace())
                .with("uid", pod.uid());
        return pod.labels().isEmpty() ? metadata : metadata.with("labels", new TreeMap<>(pod.labels()));
    }

    private static Tree spec(PodsReport report, Pod pod) {
        Tree.Mapping spec = Tree.object("nodeName", report.node());
        return pod.onHostNetwork() ? spec.with("hostNetwork", true) : spec;
    }

    private static Tree status(PodsReport report, Pod pod) {
        Tree.Mapping status = Tree.object("phase", phase(pod));
        status = ips(status, "hostIP", "hostIPs", report.hostIps());
        status = ips(status, "podIP", "podIPs", pod.ips());
        return status.with("startTime", pod.sandbox().createdAt())
                .with(
                        "containerStatuses",
                        pod.containers().stream()
                                .map(container ->
                                        container(container, pod.sandbox().ready()))
                                .toList());
    }

    private static String phase(Pod pod) {
        if (!pod.isAlive()) {
            return "Succeeded";
        }
        return pod.isReady() ? "Running" : "Pending";
    }

    private static Tree.Mapping ips(Tree.Mapping status, String singular, String plural, List<Ip> ips) {
        return ips.isEmpty()
                ? status
                : status.with(singular, ips.getFirst().toString())
                        .with(
                                plural,
                                ips.stream()
                                        .map(ip -> Tree.object("ip", ip.toString()))
                                        .toList());
    }

    private static Tree container(PodContainer container, boolean inReadySandbox) {
        String state = switch (container.state()) {
            case RUNNING -> "running";
            case EXITED -> "terminated";
            case CREATED, UNKNOWN -> "waiting";
        };
        return Tree.object("name", container.name())
                .with("ready", inReadySandbox && container.state() == ContainerState.RUNNING)
                .with("restartCount", container.restarts())
                .with("state", Tree.object(state, Tree.object()));
    }
}
