/**
 * The two lines, one per IP family, from the sources to the kernel: what they report about themselves.
 *
 * <p>In: pass reports of the data plane. Out: {@link io.dualstackd.agent.reconcile.FamilyStatus} for status, health and logs. Must not
 * touch: threads, clocks; those are in {@code agent.line.io}.
 *
 * <p>The one surprising thing: a line knows nothing of the other one. What looks like one daemon is two that share a Store.
 */
@NullMarked
package io.dualstackd.agent.reconcile;

import org.jspecify.annotations.NullMarked;
