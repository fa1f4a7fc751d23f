package io.dualstackd.pages.metrics;

import io.dualstackd.admin.StatusReport.Family;
import io.dualstackd.admin.StatusReport.Table;
import io.dualstackd.dataplane.rules.iptables.PacketCounters;
import io.dualstackd.pages.metrics.MetricSource.Labelled;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The metrics of kube-proxy, under the same names, with the same buckets and labels, so that its dashboards and alerts work. Where
 * dualstackd works differently, they have the figure with the same meaning to the reader.
 */
final class ProxyMetrics {
    static final MetricSource<Scrape, FamilyMeter> METERS =
            MetricSource.by("ip_family", scrape -> scrape.meters().stream(), FamilyMeter::family);
    static final MetricSource<Scrape, Family> FAMILIES =
            MetricSource.by("ip_family", scrape -> scrape.families().stream(), Family::family);

    private static final String IPTABLES = "iptables";
    private static final String NFTABLES = "nftables";
    /** The modes that write rules of iptables. */
    private static final List<String> WITH_IPTABLES = List.of(IPTABLES, "ipvs");

    private static final MetricSource<Scrape, Scrape> ALL = MetricSource.one(scrape -> scrape);
    private static final MetricSource<Scrape, Labelled<Table>> TABLES = MetricSource.labelled(
            List.of("ip_family", "table"), scrape -> scrape.families().stream().flatMap(ProxyMetrics::tables));

    static final List<Metric<Scrape>> TABLE = List.of(
            METERS.histogram("kubeproxy_sync_proxy_rules_duration_seconds", "Duration of a sync", m -> m.syncs),
            METERS.histogram(
                    "kubeproxy_sync_full_proxy_rules_duration_seconds",
                    "Duration of a sync that compared all rules with the kernel",
                    m -> m.fullSyncs),
            METERS.histogram(
                    "kubeproxy_sync_partial_proxy_rules_duration_seconds",
                    "Duration of a sync of changed Services only",
                    m -> m.partialSyncs),
            METERS.gauge(
                    "kubeproxy_sync_proxy_rules_last_timestamp_seconds",
                    "Time of the last successful sync",
                    m -> seconds(m.lastInForce)),
            METERS.gauge(
                    "kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds",
                    "Time of the last change that required a sync",
                    m -> seconds(m.lastQueued)),
            METERS.histogram(
                    "kubeproxy_network_programming_duration_seconds",
                    "Time from a change of a pod or Service, as dated in its EndpointSlice, until the rules are in force",
                    m -> m.programming),
            // kube-proxy adds both families up, too; a Service counts for each.
            ALL.gauge(
                    "kubeproxy_sync_proxy_rules_endpoint_changes_pending",
                    "EndpointSlice changes waiting for a sync",
                    s -> s.sum(m -> m.pending().slices())),
            ALL.counter(
                    "kubeproxy_sync_proxy_rules_endpoint_changes_total",
                    "EndpointSlice changes received",
                    s -> s.sum(m -> m.received().slices())),
            ALL.gauge(
                    "kubeproxy_sync_proxy_rules_service_changes_pending",
                    "Service changes waiting for a sync, counted once per IP family",
                    s -> s.sum(m -> m.pending().services())),
            ALL.counter(
                    "kubeproxy_sync_proxy_rules_service_changes_total",
                    "Service changes received, counted once per IP family",
                    s -> s.sum(m -> m.received().services())),
            MetricSource.labelled(List.of("ip_family", "traffic_policy"), ProxyMetrics::withoutLocal)
                    .gauge(
                            "kubeproxy_sync_proxy_rules_no_local_endpoints_total",
                            "Service ports with traffic policy Local whose endpoints are all on other nodes",
                            Labelled::value),
            probes(Scrape::healthz)
                    .counter("kubeproxy_proxy_healthz_total", "Responses of /healthz", Map.Entry::getValue),
            probes(Scrape::livez).counter("kubeproxy_proxy_livez_total", "Responses of /livez", Map.Entry::getValue),
            in(WITH_IPTABLES, FAMILIES)
                    .counter(
                            "kubeproxy_sync_proxy_rules_iptables_restore_failures_total",
                            "Transactions refused by the kernel",
                            f -> f.totals().refused()),
            in(List.of(IPTABLES), METERS)
                    .counter(
                            "kubeproxy_sync_proxy_rules_iptables_partial_restore_failures_total",
                            "Transactions of partial syncs refused by the kernel",
                            FamilyMeter::partialFailures),
            in(List.of(IPTABLES), TABLES)
                    .gauge(
                            "kubeproxy_sync_proxy_rules_iptables_total",
                            "Rules of dualstackd in the kernel",
                            t -> t.value().rules()),
            in(List.of(IPTABLES), TABLES)
                    .gauge(
                            "kubeproxy_sync_proxy_rules_iptables_last",
                            "Rules written by the last sync that changed any",
                            t -> t.value().written()),
            in(List.of(IPTABLES), packets(PacketCounters.INVALID_DROPPED))
                    .counter(
                            "kubeproxy_iptables_ct_state_invalid_dropped_packets_total",
                            "Packets dropped because conntrack calls them INVALID; only where the kernel has nfacct",
                            Long::doubleValue),
            in(List.of(IPTABLES), packets(PacketCounters.LOCALHOST_NODE_PORTS))
                    .counter(
                            "kubeproxy_iptables_localhost_nodeports_accepted_packets_total",
                            "First packets of connections to node ports on 127.0.0.0/8; only where the kernel has nfacct",
                            Long::doubleValue),
            in(List.of(NFTABLES), FAMILIES)
                    .counter(
                            "kubeproxy_sync_proxy_rules_nftables_sync_failures_total",
                            "Transactions refused by the kernel",
                            f -> f.totals().refused()),
            in(List.of(NFTABLES), FAMILIES)
                    .counter(
                            "kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total",
                            "Always 0: stale objects are removed in the same transaction",
                            f -> 0),
            METERS.histogram(
                    "kubeproxy_conntrack_reconciler_sync_duration_seconds",
                    "Duration of a search for stale conntrack entries",
                    m -> m.sweeps),
            FAMILIES.counter(
                    "kubeproxy_conntrack_reconciler_deleted_entries_total",
                    "Conntrack entries deleted because their endpoint no longer serves",
                    f -> f.totals().staleFlows()));

    private ProxyMetrics() {}

    private static MetricSource<Scrape, Long> packets(PacketCounters counter) {
        return MetricSource.maybe(scrape -> Optional.ofNullable(scrape.packets().get(counter)));
    }

    private static Stream<Labelled<Table>> tables(Family family) {
        return family.objects().tables().stream()
                .map(table -> new Labelled<>(table, family.family().toString(), table.name()));
    }

    private static Stream<Labelled<Integer>> withoutLocal(Scrape scrape) {
        return scrape.meters().stream()
                .flatMap(meter -> Stream.of(
                        new Labelled<>(
                                meter.withoutLocal().internal(), meter.family().toString(), "internal"),
                        new Labelled<>(
                                meter.withoutLocal().external(), meter.family().toString(), "external")));
    }

    private static MetricSource<Scrape, Map.Entry<Integer, Long>> probes(Function<Scrape, Map<Integer, Long>> answers) {
        return MetricSource.by(
                "code",
                scrape -> {
                    Map<Integer, Long> all = new TreeMap<>(Map.of(200, 0L, 503, 0L));
                    all.putAll(answers.apply(scrape));
                    return all.entrySet().stream();
                },
                Map.Entry::getKey);
    }

    private static <T> MetricSource<Scrape, T> in(List<String> modes, MetricSource<Scrape, T> source) {
        return source.only(String.join(", ", modes), scrape -> modes.contains(scrape.mode()));
    }

    private static double seconds(Instant time) {
        return time.toEpochMilli() / 1e3;
    }
}
