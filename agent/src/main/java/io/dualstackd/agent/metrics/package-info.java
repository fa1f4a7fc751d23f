/**
 * The daemon's figures for Prometheus.
 *
 * <p>In: a {@link io.dualstackd.agent.admin.StatusReport}. Out: the text of {@code /metrics}. Must not touch: sockets, and whatever is
 * counted; counting is done where things happen.
 *
 * <p>The one surprising thing: there is no registry. Every figure is read off the same report that {@code dualstackd status} prints, so
 * that the two cannot disagree.
 */
@NullMarked
package io.dualstackd.agent.metrics;

import org.jspecify.annotations.NullMarked;
