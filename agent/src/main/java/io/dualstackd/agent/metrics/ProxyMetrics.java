package io.dualstackd.agent.metrics;

import io.dualstackd.agent.admin.StatusReport;
import io.dualstackd.agent.admin.StatusReport.Family;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The metrics of kube-proxy, under the same names, with the same buckets and labels, so that its dashboards and alerts work. Where
 * dualstackd works differently, they have the figure with the same meaning to the reader.
 */
final class ProxyMetrics {
    private static final String SYNC = "kubeproxy_sync_proxy_rules_";

    private ProxyMetrics() {}

    static void write(ExpositionWriter expositionWriter, StatusReport report, Measurements measurements) {
        passes(expositionWriter, measurements.families());
        changes(expositionWriter, measurements.families());
        withoutLocal(expositionWriter, measurements.families());
        probes(expositionWriter, "proxy_healthz", measurements.healthz());
        probes(expositionWriter, "proxy_livez", measurements.livez());
        List<Family> families = report.families().stream()
                .filter(family -> family.phase() != StatusReport.Phase.OFF)
                .toList();
        String mode = families.stream().map(Family::mode).findFirst().orElse("");
        switch (mode) {
            case "iptables" -> iptables(expositionWriter, families, measurements.families());
            case "nftables" -> nftables(expositionWriter, families);
            default -> {}
        }
        expositionWriter.histogram(
                "kubeproxy_conntrack_reconciler_sync_duration_seconds",
                "Duration of a search for stale connections",
                measurements.families(),
                ProxyMetrics::labels,
                FamilyFigures::sweeps);
        expositionWriter.counter(
                "kubeproxy_conntrack_reconciler_deleted_entries",
                "Connections ended because their endpoint serves no more",
                families,
                ProxyMetrics::labels,
                family -> family.totals().staleFlows());
    }

    static Labels labels(FamilyFigures family) {
        return Labels.of("ip_family", family.family().toString());
    }

    static Labels labels(Family family) {
        return Labels.of("ip_family", family.family().toString());
    }

    private static void passes(ExpositionWriter expositionWriter, List<FamilyFigures> families) {
        expositionWriter.histogram(
                SYNC + "duration_seconds", "Duration of a pass", families, ProxyMetrics::labels, FamilyFigures::passes);
        expositionWriter.histogram(
                "kubeproxy_sync_full_proxy_rules_duration_seconds",
                "Duration of a pass that compared everything with the kernel",
                families,
                ProxyMetrics::labels,
                FamilyFigures::fullPasses);
        expositionWriter.histogram(
                "kubeproxy_sync_partial_proxy_rules_duration_seconds",
                "Duration of a pass that was about what changed",
                families,
                ProxyMetrics::labels,
                FamilyFigures::partialPasses);
        expositionWriter.gauge(
                SYNC + "last_timestamp_seconds",
                "When the rules were last known to be in force",
                families,
                ProxyMetrics::labels,
                family -> seconds(family.lastInForce()));
        expositionWriter.gauge(
                SYNC + "last_queued_timestamp_seconds",
                "When something last changed that rules may depend on",
                families,
                ProxyMetrics::labels,
                family -> seconds(family.lastQueued()));
        expositionWriter.histogram(
                "kubeproxy_network_programming_duration_seconds",
                "From a change of pods or Services, as the EndpointSlice dates it, until in force",
                families,
                ProxyMetrics::labels,
                FamilyFigures::programming);
    }

    private static double seconds(Optional<Instant> time) {
        return time.map(t -> t.toEpochMilli() / 1e3).orElse(0.0);
    }

    /** kube-proxy adds both families up, too; a Service counts for each. */
    private static void changes(ExpositionWriter expositionWriter, List<FamilyFigures> families) {
        expositionWriter.gauge(
                SYNC + "endpoint_changes_pending",
                "News of EndpointSlices no pass has seen yet",
                families.stream().mapToLong(family -> family.waiting().slices()).sum());
        expositionWriter.counter(
                SYNC + "endpoint_changes",
                "News of EndpointSlices",
                families.stream()
                        .mapToLong(family ->
                                family.taken().slices() + family.waiting().slices())
                        .sum());
        expositionWriter.gauge(
                SYNC + "service_changes_pending",
                "News of Services no pass has seen yet, counted once per family",
                families.stream()
                        .mapToLong(family -> family.waiting().services())
                        .sum());
        expositionWriter.counter(
                SYNC + "service_changes",
                "News of Services, counted once per family",
                families.stream()
                        .mapToLong(family ->
                                family.taken().services() + family.waiting().services())
                        .sum());
    }

    private static void withoutLocal(ExpositionWriter expositionWriter, List<FamilyFigures> families) {
        expositionWriter.gauge(
                SYNC + "no_local_endpoints_total",
                "Ports of Services whose traffic is dropped here: the policy is Local, and all endpoints are elsewhere",
                families.stream()
                        .flatMap(family -> Stream.of(
                                point(family, "internal", family.withoutLocal().internal()),
                                point(family, "external", family.withoutLocal().external())))
                        .toList());
    }

    private static ExpositionWriter.Point point(FamilyFigures family, String policy, int value) {
        return ExpositionWriter.Point.of(value, "ip_family", family.family().toString(), "traffic_policy", policy);
    }

    private static void probes(ExpositionWriter expositionWriter, String name, Map<Integer, Long> counts) {
        Map<Integer, Long> all = new TreeMap<>(Map.of(200, 0L, 503, 0L));
        all.putAll(counts);
        expositionWriter.counter(
                "kubeproxy_" + name,
                "Answers of /" + name.replace("proxy_", ""),
                all.entrySet().stream()
                        .map(entry -> ExpositionWriter.Point.of(
                                entry.getValue(), "code", entry.getKey().toString()))
                        .toList());
    }

    private static void iptables(
            ExpositionWriter expositionWriter, List<Family> families, List<FamilyFigures> measured) {
        expositionWriter.counter(
                SYNC + "iptables_restore_failures",
                "Transactions the kernel refused",
                families,
                ProxyMetrics::labels,
                family -> family.totals().refused());
        expositionWriter.counter(
                SYNC + "iptables_partial_restore_failures",
                "Transactions the kernel refused that were about what changed",
                measured,
                ProxyMetrics::labels,
                FamilyFigures::partialFailures);
        tables(expositionWriter, "iptables_total", "Rules of ours in the kernel", families, StatusReport.Table::rules);
        tables(
                expositionWriter,
                "iptables_last",
                "Rules written by the last pass that changed anything",
                families,
                StatusReport.Table::written);
    }

    private static void tables(
            ExpositionWriter expositionWriter,
            String name,
            String help,
            List<Family> families,
            ToIntFunction<StatusReport.Table> value) {
        expositionWriter.gauge(
                SYNC + name,
                help,
                families.stream()
                        .flatMap(family -> family.objects().tables().stream()
                                .map(table -> ExpositionWriter.Point.of(
                                        value.applyAsInt(table),
                                        "ip_family",
                                        family.family().toString(),
                                        "table",
                                        table.name())))
                        .toList());
    }

    private static void nftables(ExpositionWriter expositionWriter, List<Family> families) {
        expositionWriter.counter(
                SYNC + "nftables_sync_failures",
                "Transactions the kernel refused",
                families,
                ProxyMetrics::labels,
                family -> family.totals().refused());
        // Stale elements are removed in the same transaction that adds their replacement.
        expositionWriter.counter(
                SYNC + "nftables_cleanup_failures",
                "Always 0: there is no cleanup apart from the transaction",
                families,
                ProxyMetrics::labels,
                family -> 0);
    }
}
