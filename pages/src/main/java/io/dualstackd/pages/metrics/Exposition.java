package io.dualstackd.pages.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The output formats for Prometheus. */
public enum Exposition {
    /** Text format 0.0.4. */
    PROMETHEUS_TEXT,
    /** OpenMetrics 1.0. */
    OPEN_METRICS;

    private ExpositionFormatWriter writer() {
        return switch (this) {
            case PROMETHEUS_TEXT -> PrometheusTextFormatWriter.create();
            case OPEN_METRICS -> OpenMetricsTextFormatWriter.create();
        };
    }

    /** The format for an {@code Accept} header: OpenMetrics only when it is requested by name. */
    public static Exposition accepted(String accept) {
        return accept.contains("application/openmetrics-text") ? OPEN_METRICS : PROMETHEUS_TEXT;
    }

    /** The value of the header {@code Content-Type}. */
    public String contentType() {
        return writer().getContentType();
    }

    /** Writes the page of these metrics; one without samples is left out. */
    <I> String write(List<Metric<I>> metrics, I input) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<MetricSnapshot> snapshots =
                metrics.stream().map(metric -> metric.samples().apply(input)).toList();
        try {
            writer().write(out, new MetricSnapshots(snapshots), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException("an array does not fail", e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
