/**
 * IPVS mode: which virtual servers Services want, the applied state of them, and the changes that lead from one to the other.
 *
 * <p>In: a {@link io.dualstackd.dataplane.plan.ServicePlan}. Out: {@link io.dualstackd.dataplane.ipvs.Steps}. Must not touch: the
 * kernel, rules, the clock: moments are parameters.
 *
 * <p>The one surprising thing: a destination that no Service wants any more stays, with weight 0, as long as it has connections. It is
 * neither wanted nor an error.
 */
@NullMarked
package io.dualstackd.dataplane.ipvs;

import org.jspecify.annotations.NullMarked;
