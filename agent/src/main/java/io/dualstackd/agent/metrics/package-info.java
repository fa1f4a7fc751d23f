/**
 * The daemon's figures: measured, and written down for Prometheus.
 *
 * <p>In: a {@link io.dualstackd.agent.admin.StatusReport}, what lines put into their {@link io.dualstackd.agent.metrics.FamilyMeter},
 * and the talk with the API server into a {@link io.dualstackd.agent.metrics.RequestMeter}. Out: the text of {@code /metrics}.
 * Must not touch: sockets, clocks; whoever measures brings the time.
 *
 * <p>The one surprising thing: there is no registry. What the report of {@code dualstackd status} holds is read off it, so that the two
 * cannot disagree; only durations have a place of their own, one writer each, and nobody ever waits for a lock to note one.
 */
@NullMarked
package io.dualstackd.agent.metrics;

import org.jspecify.annotations.NullMarked;
