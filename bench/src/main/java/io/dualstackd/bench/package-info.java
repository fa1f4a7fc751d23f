/**
 * The scale benchmark: the real data plane, the real kernel, in network namespaces of its own.
 *
 * <p>In: sizes. Out: one table with times, messages, bytes and allocations, and beside each time the raw cost of the same bytes,
 * pre-encoded, in one send: the limit nobody can beat. Must not touch: the host's rules.
 *
 * <p>The one surprising thing: the raw cost is measured by replaying recorded transactions into a second namespace that starts
 * from the same state, so that even rule handles are the same.
 */
@NullMarked
package io.dualstackd.bench;

import org.jspecify.annotations.NullMarked;
