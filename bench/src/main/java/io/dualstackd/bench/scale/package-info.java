/**
 * Measures the cost of programming the kernel at scale: the real data plane and the real kernel, from a first load to single changes.
 *
 * <p>In: a mode, families, a number of Services. Out: one row per kind of change with times, messages, bytes and allocations, and beside
 * each time that of the same bytes prepared beforehand, which is a lower limit, and that of the usual external program. Must not touch: the
 * host's rules.
 *
 * <p>The one surprising thing: the same bytes are replayed in a twin namespace that starts from the same state, so that even rule handles
 * are equal; a replay that the kernel refuses ends the measurement.
 */
@NullMarked
package io.dualstackd.bench.scale;

import org.jspecify.annotations.NullMarked;
