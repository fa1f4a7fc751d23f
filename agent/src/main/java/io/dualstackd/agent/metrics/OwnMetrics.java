package io.dualstackd.agent.metrics;

import io.dualstackd.agent.admin.Health;
import io.dualstackd.agent.admin.StatusReport;
import io.dualstackd.agent.admin.StatusReport.Family;
import io.dualstackd.supervision.ComponentState;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The metrics that only dualstackd has: {@code dualstackd_*}. */
final class OwnMetrics {
    private final ExpositionWriter expositionWriter;
    private final StatusReport report;
    /** The families of the host; one it does not have does not count as failing. */
    private final List<Family> families;

    private final Measurements measurements;

    private OwnMetrics(ExpositionWriter expositionWriter, StatusReport report, Measurements measurements) {
        this.expositionWriter = expositionWriter;
        this.report = report;
        this.families = report.families().stream()
                .filter(family -> family.phase() != StatusReport.Phase.OFF)
                .toList();
        this.measurements = measurements;
    }

    static void write(ExpositionWriter expositionWriter, StatusReport report, Measurements measurements) {
        OwnMetrics own = new OwnMetrics(expositionWriter, report, measurements);
        own.build();
        own.health();
        own.objects();
        own.work();
        own.durations();
        own.source();
        own.pods();
        own.podIps();
    }

    private void build() {
        String mode = report.families().stream()
                .map(Family::mode)
                .filter(word -> !word.isEmpty())
                .findFirst()
                .orElse("");
        expositionWriter.gauge(
                "dualstackd_build_info",
                "1, with the version and the mode that is in force",
                List.of(ExpositionWriter.Point.of(1, "mode", mode, "version", report.version())));
    }

    private void health() {
        Set<Health.Kind> wrong =
                report.health().reasons().stream().map(Health.Reason::kind).collect(Collectors.toSet());
        expositionWriter.gauge(
                "dualstackd_degraded",
                "1 for each thing that is wrong, 0 for all others that could be; dualstackd status has the words",
                Stream.of(Health.Kind.values())
                        .map(kind -> ExpositionWriter.Point.of(wrong.contains(kind) ? 1 : 0, "reason", kind.toString()))
                        .toList());
        expositionWriter.gauge(
                "dualstackd_component_age_seconds",
                "How long ago a component of the daemon last showed that it lives",
                report.components(),
                OwnMetrics::labels,
                state -> state.age().toNanos() / 1e9);
        expositionWriter.gauge(
                "dualstackd_component_overdue",
                "1 while a component of the daemon is silent for longer than it may",
                report.components(),
                OwnMetrics::labels,
                state -> state.overdue() ? 1 : 0);
        expositionWriter.counter(
                "dualstackd_component_restarts",
                "How often a component of the daemon failed and was started again",
                report.components(),
                OwnMetrics::labels,
                ComponentState::restarts);
    }

    private static Labels labels(ComponentState state) {
        return Labels.of("component", state.component().toString());
    }

    private void objects() {
        gauge(
                "family_ready",
                "1 when the kernel holds what it should",
                f -> f.phase() == StatusReport.Phase.READY ? 1 : 0);
        gauge(
                "services",
                "Services with an address of the family",
                f -> f.objects().services());
        gauge("service_ports", "Ports of these Services", f -> f.objects().servicePorts());
        gauge(
                "endpoints",
                "Endpoints that receive traffic, once per Service port",
                f -> f.objects().endpoints());
        expositionWriter.gauge(
                "dualstackd_services_dual_stack",
                "Services with both families, headless ones included",
                measurements.dualStackServices());
        gauge("chains", "Chains of ours in the kernel", f -> f.objects().chains());
        gauge("rules", "Rules of ours in the kernel", f -> f.objects().rules());
        gauge(
                "contested",
                "1 while somebody else changes our rules again and again",
                f -> f.contest().isPresent() ? 1 : 0);
        expositionWriter.gauge(
                "dualstackd_health_ports_closed",
                "Health-check node ports that cannot be opened",
                report.closedHealthPorts().size());
    }

    private void work() {
        counter("transactions", "Transactions the kernel took", f -> f.totals().transactions());
        counter(
                "transactions_refused",
                "Transactions the kernel refused",
                f -> f.totals().refused());
        counter(
                "repairs",
                "Repairs of our rules after somebody else had changed them",
                f -> f.totals().repairs());
        counter("netlink_messages", "Messages of transactions", f -> f.totals().messages());
        counter("netlink_bytes", "Bytes of transactions", f -> f.totals().bytes());
        counter(
                "conntrack_deleted",
                "Connections ended because their endpoint serves no more",
                f -> f.totals().staleFlows());
    }

    private void durations() {
        gauge(
                "last_transaction_seconds",
                "Duration of the last transaction, from the start of the work to the answer of the kernel",
                f -> f.last().map(last -> last.took().toNanos() / 1e9).orElse(0.0));
        expositionWriter.histogram(
                "dualstackd_change_seconds",
                "From the news of a change until in force; the oldest change of each pass is counted",
                measurements.families(),
                ProxyMetrics::labels,
                FamilyFigures::changes);
        expositionWriter.histogram(
                "dualstackd_kernel_transaction_seconds",
                "How long the kernel worked on a transaction",
                measurements.families(),
                ProxyMetrics::labels,
                FamilyFigures::transactions);
    }

    private void source() {
        StatusReport.Source source = report.source();
        expositionWriter.gauge(
                "dualstackd_source_synced",
                "1 when the source of Services was read completely",
                source.synced() ? 1 : 0);
        expositionWriter.gauge(
                "dualstackd_source_up",
                "1 while news come from the source of Services",
                source.trouble().isEmpty() ? 1 : 0);
        expositionWriter.gauge(
                "dualstackd_source_problems",
                "Things that are wrong in the source now",
                report.problems().size());
        measurements.server().ifPresent(server -> {
            expositionWriter.gauge(
                    "dualstackd_apiserver_up", "1 while news come from the API server", server.up() ? 1 : 0);
            expositionWriter.gauge(
                    "dualstackd_apiserver_outage_seconds",
                    "How long no news have come from the API server; 0 while they do",
                    server.outage().toNanos() / 1e9);
            source.lastContact()
                    .ifPresent(ago -> expositionWriter.gauge(
                            "dualstackd_apiserver_last_contact_age_seconds",
                            "How long ago the API server last said anything; not there before the first contact",
                            ago.toNanos() / 1e9));
            List<ServerFigures.Resource> resources = server.resources();
            expositionWriter.gauge(
                    "dualstackd_apiserver_objects",
                    "Objects that are followed",
                    resources,
                    OwnMetrics::labels,
                    ServerFigures.Resource::objects);
            expositionWriter.gauge(
                    "dualstackd_apiserver_unreadable",
                    "Objects that cannot be used",
                    resources,
                    OwnMetrics::labels,
                    ServerFigures.Resource::unreadable);
            expositionWriter.counter(
                    "dualstackd_apiserver_events",
                    "Changes that watches told",
                    resources,
                    OwnMetrics::labels,
                    ServerFigures.Resource::events);
            expositionWriter.counter(
                    "dualstackd_apiserver_lists",
                    "How often a resource was read from the beginning",
                    resources,
                    OwnMetrics::labels,
                    ServerFigures.Resource::lists);
        });
    }

    private static Labels labels(ServerFigures.Resource resource) {
        return Labels.of("resource", resource.name());
    }

    private void pods() {
        report.runtime().ifPresent(runtime -> {
            expositionWriter.gauge(
                    "dualstackd_runtime_up",
                    "1 while the container runtime answers",
                    runtime.state().outage().isEmpty() ? 1 : 0);
            expositionWriter.gauge("dualstackd_pods", "Pods of this node, dead ones included", runtime.pods());
            expositionWriter.gauge("dualstackd_pods_alive", "Pods of this node that are alive", runtime.alive());
            expositionWriter.gauge(
                    "dualstackd_pods_addressed",
                    "Pods of this node that are alive and have an address of the family",
                    List.of(
                            ExpositionWriter.Point.of(runtime.families().ipv4(), "ip_family", "IPv4"),
                            ExpositionWriter.Point.of(runtime.families().ipv6(), "ip_family", "IPv6")));
            expositionWriter.gauge(
                    "dualstackd_pods_dual_stack",
                    "Pods of this node that are alive and have addresses of both families",
                    runtime.families().both());
            expositionWriter.gauge(
                    "dualstackd_hidden_endpoints",
                    "Endpoints of dead local pods that a source still names",
                    runtime.hidden());
            expositionWriter.counter(
                    "dualstackd_local_failovers", "Addresses of local pods that were found dead", runtime.failovers());
        });
    }

    private void podIps() {
        measurements.podIps().ifPresent(figures -> {
            expositionWriter.gauge(
                    "dualstackd_pod_status_compared",
                    "Pods of this node whose status could be compared with what the runtime says",
                    figures.compared());
            expositionWriter.gauge(
                    "dualstackd_pod_status_wrong",
                    "Pods of this node whose status names other addresses than the runtime, and has for a while",
                    List.of(
                            ExpositionWriter.Point.of(figures.podIpsDiffer(), "field", "podIPs"),
                            ExpositionWriter.Point.of(figures.hostIpsDiffer(), "field", "hostIPs")));
            expositionWriter.counter(
                    "dualstackd_pod_status_corrected", "Statuses of pods we have written", figures.corrected());
            expositionWriter.counter(
                    "dualstackd_pod_status_refused",
                    "Statuses of pods the API server did not let us write",
                    figures.refused());
        });
    }

    private void gauge(String name, String help, ToDoubleFunction<Family> value) {
        expositionWriter.gauge("dualstackd_" + name, help, families, ProxyMetrics::labels, value);
    }

    private void counter(String name, String help, ToDoubleFunction<Family> value) {
        expositionWriter.counter("dualstackd_" + name, help, families, ProxyMetrics::labels, value);
    }
}
