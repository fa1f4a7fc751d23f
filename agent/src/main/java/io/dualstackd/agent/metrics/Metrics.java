package io.dualstackd.agent.metrics;

import io.dualstackd.agent.admin.StatusReport;

/** All figures of the daemon in the format of Prometheus. Counters begin with the daemon. */
public final class Metrics {
    private Metrics() {}

    public static String text(StatusReport report, Measurements measurements, Exposition format) {
        ExpositionWriter expositionWriter = new ExpositionWriter();
        ProxyMetrics.write(expositionWriter, report, measurements);
        OwnMetrics.write(expositionWriter, report, measurements);
        measurements.server().ifPresent(server -> ClientMetrics.write(expositionWriter, server.requests()));
        report.ledger().ifPresent(ledger -> expositionWriter.addAll(LedgerMetrics.of(ledger)));
        measurements.process().ifPresent(process -> ProcessMetrics.write(expositionWriter, process));
        return format.write(expositionWriter.snapshots());
    }
}
