package io.dualstackd.agent.metrics;

import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.ledger.LedgerFigures;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The metrics of an API server's allocators, under the same names, which dashboards use. */
final class LedgerMetrics {
    private static final String IPS = "kube_apiserver_clusterip_allocator_";
    private static final String PORTS = "kube_apiserver_nodeport_allocator_";
    /** 2⁶⁴ as a double. */
    private static final double UNSIGNED = 0x1p64;

    private LedgerMetrics() {}

    static List<MetricSnapshot> of(LedgerFigures figures) {
        return List.of(
                networks(figures, "allocated_ips", "Cluster IPs in use", AddressPool.Fill::used),
                networks(figures, "available_ips", "Cluster IPs that are free", AddressPool.Fill::free),
                asked(IPS + "allocation", "Cluster IPs given", figures.addresses(), true),
                asked(IPS + "allocation_errors", "Cluster IPs that could not be given", figures.addresses(), false),
                gauge(PORTS + "allocated_ports", "Node ports in use", figures.usedPorts()),
                gauge(PORTS + "available_ports", "Node ports that are free", figures.freePorts()),
                asked(PORTS + "allocation", "Node ports given", figures.ports(), true),
                asked(PORTS + "allocation_errors", "Node ports that could not be given", figures.ports(), false));
    }

    private static MetricSnapshot networks(
            LedgerFigures figures, String name, String help, ToLongFunction<AddressPool.Fill> value) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(IPS + name).help(help);
        for (AddressPool.Fill fill : figures.networks()) {
            long unsigned = value.applyAsLong(fill);
            gauge.dataPoint(GaugeDataPointSnapshot.builder()
                    .labels(Labels.of("cidr", fill.network().toString()))
                    .value(unsigned < 0 ? unsigned + UNSIGNED : unsigned)
                    .build());
        }
        return gauge.build();
    }

    private static MetricSnapshot gauge(String name, String help, int value) {
        return GaugeSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build();
    }

    private static MetricSnapshot asked(
            String name, String help, Map<LedgerFigures.Asked, Long> counts, boolean given) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
        counts.forEach((asked, count) -> {
            if (asked.given() == given) {
                String scope = asked.named() ? "static" : "dynamic";
                counter.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(
                                asked.of().isEmpty()
                                        ? Labels.of("scope", scope)
                                        : Labels.of("cidr", asked.of(), "scope", scope))
                        .value((double) count)
                        .build());
            }
        });
        return counter.build();
    }
}
