/**
 * The threads of the lines: wait for a nudge, take what changed, run one pass of the data plane, report.
 *
 * <p>In: nudges without data, and a {@link io.dualstackd.agent.reconcile.io.DesiredState} that is asked when work starts. Out: passes of
 * {@link io.dualstackd.dataplane.io.Syncer} and {@link io.dualstackd.agent.reconcile.FamilyStatus}. Must not touch: Kubernetes
 * objects; the decision what the rules should be.
 *
 * <p>The one surprising thing: a line never ends because the kernel refuses or cannot be reached; it keeps what is wanted, waits
 * longer each time, and compares in full when it gets through again. No exception ends it; an {@link java.lang.Error} does, for who knows
 * what works after it.
 */
@NullMarked
package io.dualstackd.agent.reconcile.io;

import org.jspecify.annotations.NullMarked;
