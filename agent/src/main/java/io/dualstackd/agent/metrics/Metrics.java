package io.dualstackd.agent.metrics;

import io.dualstackd.agent.admin.StatusReport;

/** All figures of the daemon as Prometheus reads them. Counters begin with the daemon. */
public final class Metrics {
    private Metrics() {}

    public static String text(StatusReport report, Measurements measurements, Exposition format) {
        Sheet sheet = new Sheet();
        ProxyMetrics.write(sheet, report, measurements);
        OwnMetrics.write(sheet, report, measurements);
        measurements.server().ifPresent(server -> ClientMetrics.write(sheet, server.requests()));
        report.ledger().ifPresent(ledger -> sheet.addAll(LedgerMetrics.of(ledger)));
        measurements.process().ifPresent(process -> ProcessMetrics.write(sheet, process));
        return format.write(sheet.snapshots());
    }
}
