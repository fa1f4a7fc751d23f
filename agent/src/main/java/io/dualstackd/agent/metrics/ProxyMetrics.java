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
 * What kube-proxy tells of itself, under the same names, with the same buckets and labels: dashboards and alerts know them. Where we
 * work differently, the figure that means the same to whoever reads it.
 */
final class ProxyMetrics {
    private static final String SYNC = "kubeproxy_sync_proxy_rules_";

    private ProxyMetrics() {}

    static void write(Sheet sheet, StatusReport report, Measurements measurements) {
        passes(sheet, measurements.families());
        changes(sheet, measurements.families());
        withoutLocal(sheet, measurements.families());
        probes(sheet, "proxy_healthz", measurements.healthz());
        probes(sheet, "proxy_livez", measurements.livez());
        List<Family> families = report.families().stream()
                .filter(family -> family.phase() != StatusReport.Phase.OFF)
                .toList();
        String mode = families.stream().map(Family::mode).findFirst().orElse("");
        switch (mode) {
            case "iptables" -> iptables(sheet, families, measurements.families());
            case "nftables" -> nftables(sheet, families);
            default -> {}
        }
        sheet.histogram(
                "kubeproxy_conntrack_reconciler_sync_duration_seconds",
                "Duration of a search for stale connections",
                measurements.families(),
                ProxyMetrics::labels,
                FamilyFigures::sweeps);
        sheet.counter(
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

    private static void passes(Sheet sheet, List<FamilyFigures> families) {
        sheet.histogram(
                SYNC + "duration_seconds", "Duration of a pass", families, ProxyMetrics::labels, FamilyFigures::passes);
        sheet.histogram(
                "kubeproxy_sync_full_proxy_rules_duration_seconds",
                "Duration of a pass that compared everything with the kernel",
                families,
                ProxyMetrics::labels,
                FamilyFigures::fullPasses);
        sheet.histogram(
                "kubeproxy_sync_partial_proxy_rules_duration_seconds",
                "Duration of a pass that was about what changed",
                families,
                ProxyMetrics::labels,
                FamilyFigures::partialPasses);
        sheet.gauge(
                SYNC + "last_timestamp_seconds",
                "When the rules were last known to be in force",
                families,
                ProxyMetrics::labels,
                family -> seconds(family.lastInForce()));
        sheet.gauge(
                SYNC + "last_queued_timestamp_seconds",
                "When something last changed that rules may depend on",
                families,
                ProxyMetrics::labels,
                family -> seconds(family.lastQueued()));
        sheet.histogram(
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
    private static void changes(Sheet sheet, List<FamilyFigures> families) {
        sheet.gauge(
                SYNC + "endpoint_changes_pending",
                "News of EndpointSlices no pass has seen yet",
                families.stream().mapToLong(family -> family.waiting().slices()).sum());
        sheet.counter(
                SYNC + "endpoint_changes",
                "News of EndpointSlices",
                families.stream()
                        .mapToLong(family ->
                                family.taken().slices() + family.waiting().slices())
                        .sum());
        sheet.gauge(
                SYNC + "service_changes_pending",
                "News of Services no pass has seen yet, counted once per family",
                families.stream()
                        .mapToLong(family -> family.waiting().services())
                        .sum());
        sheet.counter(
                SYNC + "service_changes",
                "News of Services, counted once per family",
                families.stream()
                        .mapToLong(family ->
                                family.taken().services() + family.waiting().services())
                        .sum());
    }

    private static void withoutLocal(Sheet sheet, List<FamilyFigures> families) {
        sheet.gauge(
                SYNC + "no_local_endpoints_total",
                "Ports of Services whose traffic is dropped here: the policy is Local, and all endpoints are elsewhere",
                families.stream()
                        .flatMap(family -> Stream.of(
                                point(family, "internal", family.withoutLocal().internal()),
                                point(family, "external", family.withoutLocal().external())))
                        .toList());
    }

    private static Sheet.Point point(FamilyFigures family, String policy, int value) {
        return Sheet.Point.of(value, "ip_family", family.family().toString(), "traffic_policy", policy);
    }

    private static void probes(Sheet sheet, String name, Map<Integer, Long> counts) {
        Map<Integer, Long> all = new TreeMap<>(Map.of(200, 0L, 503, 0L));
        all.putAll(counts);
        sheet.counter(
                "kubeproxy_" + name,
                "Answers of /" + name.replace("proxy_", ""),
                all.entrySet().stream()
                        .map(entry -> Sheet.Point.of(
                                entry.getValue(), "code", entry.getKey().toString()))
                        .toList());
    }

    private static void iptables(Sheet sheet, List<Family> families, List<FamilyFigures> measured) {
        sheet.counter(
                SYNC + "iptables_restore_failures",
                "Transactions the kernel refused",
                families,
                ProxyMetrics::labels,
                family -> family.totals().refused());
        sheet.counter(
                SYNC + "iptables_partial_restore_failures",
                "Transactions the kernel refused that were about what changed",
                measured,
                ProxyMetrics::labels,
                FamilyFigures::partialFailures);
        tables(sheet, "iptables_total", "Rules of ours in the kernel", families, StatusReport.Table::rules);
        tables(
                sheet,
                "iptables_last",
                "Rules written by the last pass that changed anything",
                families,
                StatusReport.Table::written);
    }

    private static void tables(
            Sheet sheet, String name, String help, List<Family> families, ToIntFunction<StatusReport.Table> value) {
        sheet.gauge(
                SYNC + name,
                help,
                families.stream()
                        .flatMap(family -> family.objects().tables().stream()
                                .map(table -> Sheet.Point.of(
                                        value.applyAsInt(table),
                                        "ip_family",
                                        family.family().toString(),
                                        "table",
                                        table.name())))
                        .toList());
    }

    private static void nftables(Sheet sheet, List<Family> families) {
        sheet.counter(
                SYNC + "nftables_sync_failures",
                "Transactions the kernel refused",
                families,
                ProxyMetrics::labels,
                family -> family.totals().refused());
        // What is stale goes in the same transaction as what replaces it.
        sheet.counter(
                SYNC + "nftables_cleanup_failures",
                "Always 0: there is no cleanup apart from the transaction",
                families,
                ProxyMetrics::labels,
                family -> 0);
    }
}
