/**
 * The threads of the reconcilers: each waits for a wakeup, takes what changed, runs one sync of the data plane, and reports.
 *
 * <p>In: wakeups without data, and a {@link io.dualstackd.agent.reconcile.io.DesiredState} that is read when work starts. Out: syncs of
 * {@link io.dualstackd.dataplane.io.Syncer} and {@link io.dualstackd.agent.reconcile.FamilyStatus}. Must not touch: Kubernetes objects; the
 * decision what the rules should be.
 *
 * <p>The one surprising thing: a reconciler never ends because the kernel refuses a transaction or cannot be reached. It keeps the desired
 * state, waits longer each time, and compares in full at the next success. No exception ends it; an {@link java.lang.Error} does, as the
 * state after it is unknown.
 */
@NullMarked
package io.dualstackd.agent.reconcile.io;

import org.jspecify.annotations.NullMarked;
