/**
 * The decisions: which endpoints serve, which clients are rejected or dropped, which traffic is masqueraded. Pure functions of
 * {@link io.dualstackd.dataplane.model}, independent of how the kernel is programmed.
 *
 * <p>In: one {@link io.dualstackd.dataplane.model.ServiceView} and the {@link io.dualstackd.dataplane.model.NodeView}. Out: one
 * {@link io.dualstackd.dataplane.plan.ServicePlan}, and per node one {@link io.dualstackd.dataplane.plan.NodePlan}. Must not
 * touch: chains, rules, sets; other Services: a plan depends on its own Service and the node alone, which is what keeps work
 * proportional to the change.
 *
 * <p>The one surprising thing: {@code externalTrafficPolicy: Local} never restricts pods and processes of the node; they are
 * short-circuited to the cluster's endpoints.
 */
@NullMarked
package io.dualstackd.dataplane.plan;

import org.jspecify.annotations.NullMarked;
