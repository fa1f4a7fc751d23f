/**
 * The policy and the reported status of the two reconcilers, one per IP family, which carry changes from the sources to the kernel.
 *
 * <p>In: sync reports of the data plane. Out: {@link io.dualstackd.agent.reconcile.FamilyStatus} for status, health and logs. Must not
 * touch: threads, clocks; those are in {@code agent.reconcile.io}.
 *
 * <p>The one surprising thing: a reconciler knows nothing of the other one. The daemon is two independent reconcilers that share a Store.
 */
@NullMarked
package io.dualstackd.agent.reconcile;

import org.jspecify.annotations.NullMarked;
