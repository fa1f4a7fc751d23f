package io.dualstackd.agent.metrics;

import io.dualstackd.agent.admin.StatusReport;
import io.dualstackd.agent.admin.StatusReport.Family;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A status report as Prometheus reads it (text format 0.0.4). Counters begin with the daemon. */
public final class Metrics {
    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private final StatusReport report;
    private final List<MetricSnapshot> metrics = new ArrayList<>();

    private Metrics(StatusReport report) {
        this.report = report;
    }

    public static String text(StatusReport report) {
        Metrics metrics = new Metrics(report);
        metrics.families();
        metrics.sources();
        metrics.pods();
        report.ledger().ifPresent(ledger -> metrics.metrics.addAll(LedgerMetrics.of(ledger)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create()
                    .write(out, new MetricSnapshots(metrics.metrics), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private void families() {
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
        gauge("chains", "Chains of ours in the kernel", f -> f.objects().chains());
        gauge("rules", "Rules of ours in the kernel", f -> f.objects().rules());
        gauge(
                "contested",
                "1 while somebody else changes our rules again and again",
                f -> f.contest().isPresent() ? 1 : 0);
        gauge(
                "last_transaction_seconds",
                "Duration of the last transaction, from the start of the work to the answer of the kernel",
                f -> f.last().map(last -> last.took().toNanos() / 1e9).orElse(0.0));
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

    private void sources() {
        StatusReport.Source source = report.source();
        add("source_synced", "1 when the source of Services was read completely", source.synced() ? 1 : 0);
        add(
                "source_problems",
                "Things that are wrong in the source now",
                report.problems().size());
    }

    private void pods() {
        report.runtime().ifPresent(runtime -> {
            add(
                    "runtime_up",
                    "1 while the container runtime answers",
                    runtime.state().outage().isEmpty() ? 1 : 0);
            add("pods", "Pods of this node, dead ones included", runtime.pods());
            add("pods_alive", "Pods of this node that are alive", runtime.alive());
            add("hidden_endpoints", "Endpoints of dead local pods that a source still names", runtime.hidden());
            metrics.add(CounterSnapshot.builder()
                    .name("dualstackd_local_failovers")
                    .help("Addresses of local pods that were found dead")
                    .dataPoint(CounterDataPointSnapshot.builder()
                            .value((double) runtime.failovers())
                            .build())
                    .build());
        });
    }

    private void add(String name, String help, double value) {
        metrics.add(GaugeSnapshot.builder()
                .name("dualstackd_" + name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build());
    }

    private void gauge(String name, String help, ToDoubleFunction<Family> value) {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name("dualstackd_" + name).help(help);
        for (Family family : report.families()) {
            gauge.dataPoint(GaugeDataPointSnapshot.builder()
                    .labels(label(family))
                    .value(value.applyAsDouble(family))
                    .build());
        }
        metrics.add(gauge.build());
    }

    private void counter(String name, String help, ToDoubleFunction<Family> value) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name("dualstackd_" + name).help(help);
        for (Family family : report.families()) {
            counter.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(label(family))
                    .value(value.applyAsDouble(family))
                    .build());
        }
        metrics.add(counter.build());
    }

    private static Labels label(Family family) {
        return Labels.of("family", family.family().toString().toLowerCase(Locale.ROOT));
    }
}
