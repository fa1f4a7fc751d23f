package io.dualstackd.agent.admin.pods;

import io.dualstackd.agent.cri.ContainerState;
import io.dualstackd.agent.pod.Pod;
import io.dualstackd.agent.pod.PodContainer;
import io.dualstackd.agent.pod.SingularPlural;
import io.dualstackd.netlink.ip.Ip;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Pods as {@code v1/Pod} objects with those fields that a node knows: maps, lists, texts, numbers, truth values. */
final class PodObjects {
    private PodObjects() {}

    static Map<String, Object> list(PodsReport report) {
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("apiVersion", "v1");
        list.put("kind", "List");
        list.put(
                "items",
                report.pods().all().stream().map(pod -> one(report, pod)).toList());
        return list;
    }

    static Map<String, Object> one(PodsReport report, Pod pod) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", "Pod");
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", pod.name());
        metadata.put("namespace", pod.namespace());
        metadata.put("uid", pod.uid());
        if (!pod.labels().isEmpty()) {
            metadata.put("labels", new TreeMap<>(pod.labels()));
        }
        object.put("metadata", metadata);
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("nodeName", report.node());
        if (pod.onHostNetwork()) {
            spec.put("hostNetwork", true);
        }
        object.put("spec", spec);
        object.put("status", status(report, pod));
        return object;
    }

    private static Map<String, Object> status(PodsReport report, Pod pod) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("phase", phase(pod));
        ips(status, "hostIP", "hostIPs", report.hostIps());
        ips(status, "podIP", "podIPs", pod.ips());
        status.put("startTime", pod.sandbox().createdAt().toString());
        status.put(
                "containerStatuses",
                pod.containers().stream().map(PodObjects::container).toList());
        return status;
    }

    private static String phase(Pod pod) {
        if (!pod.isAlive()) {
            return "Succeeded";
        }
        return pod.isReady() ? "Running" : "Pending";
    }

    private static void ips(Map<String, Object> status, String singular, String plural, List<Ip> ips) {
        SingularPlural fields = SingularPlural.of(ips.stream().map(Ip::toString).toList());
        if (!fields.singular().isEmpty()) {
            status.put(singular, fields.singular());
            status.put(
                    plural, fields.plural().stream().map(ip -> Map.of("ip", ip)).toList());
        }
    }

    private static Map<String, Object> container(PodContainer container) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("name", container.name());
        status.put("ready", container.state() == ContainerState.RUNNING);
        status.put("restartCount", container.restarts());
        String state = switch (container.state()) {
            case RUNNING -> "running";
            case EXITED -> "terminated";
            case CREATED, UNKNOWN -> "waiting";
        };
        Object reason = container.state() == ContainerState.UNKNOWN
                ? Map.of("reason", container.state().toString().toLowerCase(Locale.ROOT))
                : Map.of();
        status.put("state", Map.of(state, reason));
        return status;
    }
}
