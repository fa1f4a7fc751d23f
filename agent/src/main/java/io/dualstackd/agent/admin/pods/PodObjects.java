package io.dualstackd.agent.admin.pods;

import io.dualstackd.kubeapi.print.OutputValue;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodContainer;
import io.dualstackd.pods.cri.ContainerState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pods as {@code v1/Pod} objects, with the fields that a node knows. */
public final class PodObjects {
    private PodObjects() {}

    /** Returns all pods as a {@code v1/List}. */
    public static OutputValue list(PodsReport report) {
        return OutputValue.object()
                .with("apiVersion", "v1")
                .with("kind", "List")
                .with(
                        "items",
                        report.pods().all().stream()
                                .map(pod -> one(report, pod))
                                .toList());
    }

    public static OutputValue one(PodsReport report, Pod pod) {
        return OutputValue.object()
                .with("apiVersion", "v1")
                .with("kind", "Pod")
                .with("metadata", metadata(pod))
                .with("spec", spec(report, pod))
                .with("status", status(report, pod));
    }

    private static OutputValue metadata(Pod pod) {
        OutputValue.Fields metadata = OutputValue.object()
                .with("name", pod.name())
                .with("namespace", pod.namespace())
                .with("uid", pod.uid());
        OutputValue.Fields labels = OutputValue.object();
        for (Map.Entry<String, String> label : new TreeMap<>(pod.labels()).entrySet()) {
            labels = labels.with(label.getKey(), label.getValue());
        }
        return pod.labels().isEmpty() ? metadata : metadata.with("labels", labels);
    }

    private static OutputValue spec(PodsReport report, Pod pod) {
        OutputValue.Fields spec = OutputValue.object().with("nodeName", report.node());
        return pod.onHostNetwork() ? spec.with("hostNetwork", true) : spec;
    }

    private static OutputValue status(PodsReport report, Pod pod) {
        OutputValue.Fields status = OutputValue.object().with("phase", phase(pod));
        status = ips(status, "hostIP", "hostIPs", report.hostIps());
        status = ips(status, "podIP", "podIPs", pod.ips());
        return status.with("startTime", pod.sandbox().createdAt().toString())
                .with(
                        "containerStatuses",
                        pod.containers().stream().map(PodObjects::container).toList());
    }

    private static String phase(Pod pod) {
        if (!pod.isAlive()) {
            return "Succeeded";
        }
        return pod.isReady() ? "Running" : "Pending";
    }

    private static OutputValue.Fields ips(OutputValue.Fields status, String singular, String plural, List<Ip> ips) {
        return ips.isEmpty()
                ? status
                : status.with(singular, ips.getFirst().toString())
                        .with(
                                plural,
                                ips.stream()
                                        .map(ip -> OutputValue.object().with("ip", ip.toString()))
                                        .toList());
    }

    private static OutputValue container(PodContainer container) {
        String state = switch (container.state()) {
            case RUNNING -> "running";
            case EXITED -> "terminated";
            case CREATED, UNKNOWN -> "waiting";
        };
        return OutputValue.object()
                .with("name", container.name())
                .with("ready", container.state() == ContainerState.RUNNING)
                .with("restartCount", container.restarts())
                .with("state", OutputValue.object().with(state, OutputValue.object()));
    }
}
