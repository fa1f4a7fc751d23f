/**
 * The daemon's figures: their measurement, and their output for Prometheus.
 *
 * <p>In: a {@link io.dualstackd.admin.StatusReport}, what reconcilers put into their {@link io.dualstackd.pages.metrics.FamilyMeter},
 * and the client of the API server into a {@link io.dualstackd.pages.metrics.RequestMeter}. Out: the text of {@code /metrics}. Must not
 * touch: sockets, clocks; the caller passes the time.
 *
 * <p>Each metric is declared once, in {@code ProxyMetrics}, {@code OwnMetrics} or {@code StandardMetrics}: a {@code MetricSource} (labels, and
 * the objects that have samples), name, help text, and the value of an object. {@code docs/metrics.md} is compared with these tables.
 *
 * <p>The one surprising thing: there is no registry. What the report of {@code dualstackd status} holds is taken from it, so that the two
 * cannot disagree; only durations are stored separately, with one writer each, and no thread ever waits for a lock to record one.
 */
@NullMarked
package io.dualstackd.pages.metrics;

import org.jspecify.annotations.NullMarked;
