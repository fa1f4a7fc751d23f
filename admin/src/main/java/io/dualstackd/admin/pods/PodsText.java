package io.dualstackd.admin.pods;

import io.dualstackd.kubeapi.print.Age;
import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.ContainerPort;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodContainer;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.cri.ContainerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A {@link PodsReport} as text for people. */
public final class PodsText {
    private static final int SHORT_ID = 13;

    private final PodsReport report;
    private final StringBuilder text = new StringBuilder();

    private PodsText(PodsReport report) {
        this.report = report;
    }

    /**
     * Returns one line for each pod, below a header.
     *
     * @param wide whether to add the columns that make lines long
     */
    public static String table(PodsReport report, boolean wide) {
        PodsText table = new PodsText(report);
        table.stale();
        table.rows(wide);
        return table.text.toString();
    }

    /** Describes one pod in several lines. */
    public static String description(PodsReport report, Pod pod) {
        PodsText description = new PodsText(report);
        description.stale();
        description.describe(pod);
        return description.text.toString();
    }

    private void stale() {
        RuntimeReport runtime = report.runtime();
        if (runtime.outage().isEmpty() && runtime.listed().isEmpty()) {
            text.append("The container runtime at ")
                    .append(runtime.endpoint())
                    .append(" has not answered since the start.\nThis is what was last known:\n\n");
        }
        report.runtime()
                .outage()
                .ifPresent(outage -> text.append("The container runtime at ")
                        .append(report.runtime().endpoint())
                        .append(" has not answered for ")
                        .append(Age.between(outage.since(), report.madeAt()))
                        .append(" (")
                        .append(outage.reason())
                        .append(").\nThis is what was last known:\n\n"));
    }

    private void rows(boolean wide) {
        if (report.pods().all().isEmpty()) {
            text.append("No pods on ").append(report.node()).append(".\n");
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE", "IPS"));
        if (wide) {
            head.addAll(List.of("NODE", "NETWORK", "SANDBOX"));
        }
        rows.add(head);
        for (Pod pod : report.pods().all()) {
            List<String> row = new ArrayList<>(List.of(
                    pod.namespace(),
                    pod.name(),
                    ready(pod),
                    status(pod),
                    Long.toString(restarts(pod)),
                    Age.between(pod.sandbox().createdAt(), report.madeAt()),
                    joined(pod.ips())));
            if (wide) {
                String id = pod.sandbox().id();
                row.add(report.node());
                row.add(pod.onHostNetwork() ? "host" : "pod");
                row.add(id.length() > SHORT_ID ? id.substring(0, SHORT_ID) : id);
            }
            rows.add(row);
        }
        text.append(TextTable.print(rows));
    }

    private void describe(Pod pod) {
        line("Name", pod.name());
        line("Namespace", pod.namespace());
        line("UID", pod.uid());
        line(
                "Node",
                report.node()
                        + report.hostIps().stream().limit(1).map(ip -> "/" + ip).collect(Collectors.joining()));
        line("Start Time", pod.sandbox().createdAt().toString());
        labels(pod);
        line("Status", status(pod));
        line("IP", pod.ips().stream().limit(1).map(Ip::toString).collect(Collectors.joining()));
        if (pod.ips().isEmpty()) {
            line("IPs", "<none>");
        } else {
            text.append("IPs:\n");
            pod.ips().forEach(ip -> text.append("  IP:           ").append(ip).append('\n'));
        }
        line("Host IPs", joined(report.hostIps()));
        line("Host Network", Boolean.toString(pod.onHostNetwork()));
        line(
                "Sandbox",
                pod.sandbox().id() + " (attempt " + pod.sandbox().attempt()
                        + (pod.sandbox().process() > 0
                                ? ", process " + pod.sandbox().process()
                                : "") + ")");
        containers(pod);
    }

    private void labels(Pod pod) {
        List<String> labels = new TreeMap<>(pod.labels())
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .toList();
        line("Labels", labels.isEmpty() ? "<none>" : labels.getFirst());
        labels.stream()
                .skip(1)
                .forEach(label -> text.append(" ".repeat(16)).append(label).append('\n'));
    }

    private void containers(Pod pod) {
        if (pod.containers().isEmpty()) {
            line("Containers", "<none>");
            return;
        }
        text.append("Containers:\n");
        for (PodContainer container : pod.containers()) {
            text.append("  ").append(container.name()).append(":\n");
            text.append("    State:          ")
                    .append(container.state().toString().toLowerCase(Locale.ROOT))
                    .append('\n');
            text.append("    Restart Count:  ").append(container.restarts()).append('\n');
            if (!container.ports().isEmpty()) {
                text.append("    Ports:          ")
                        .append(container.ports().stream().map(PodsText::port).collect(Collectors.joining(", ")))
                        .append('\n');
            }
        }
    }

    private static String port(ContainerPort port) {
        String number = port.port() + "/" + port.protocol().toString().toUpperCase(Locale.ROOT);
        return port.name().isEmpty() ? number : number + " (" + port.name() + ")";
    }

    private void line(String name, String value) {
        String head = name + ":";
        text.append((head + " ".repeat(Math.max(1, 16 - head.length())) + value).stripTrailing())
                .append('\n');
    }

    private static String status(Pod pod) {
        if (!pod.sandbox().ready()) {
            return "SandboxNotReady";
        } else if (!pod.isAlive()) {
            return "Completed";
        }
        return pod.isReady() ? "Running" : "ContainerCreating";
    }

    /** The number of running containers and of all containers. */
    private static String ready(Pod pod) {
        long running = pod.containers().stream()
                .filter(c -> pod.sandbox().ready() && c.state() == ContainerState.RUNNING)
                .count();
        return running + "/" + pod.containers().size();
    }

    private static long restarts(Pod pod) {
        return pod.containers().stream().mapToLong(PodContainer::restarts).sum();
    }

    private static String joined(List<Ip> ips) {
        return ips.isEmpty() ? "<none>" : ips.stream().map(Ip::toString).collect(Collectors.joining(","));
    }
}
