/**
 * iptables rules as values, and the compiler that makes them from plans, in the well-known chain layout of kube-proxy
 * ({@code KUBE-SERVICES}, {@code KUBE-SVC-…}, {@code KUBE-SEP-…}).
 *
 * <p>In: a {@link io.dualstackd.dataplane.plan.ServicePlan} or {@link io.dualstackd.dataplane.plan.NodePlan}. Out: a
 * {@link io.dualstackd.dataplane.rules.iptables.Fragment} per Service and one
 * {@link io.dualstackd.dataplane.rules.iptables.Frame} per node. Must not touch: netlink bytes; the same values serve the
 * nf_tables and the legacy transport.
 *
 * <p>The one surprising thing: a Service's dispatch rules are in shared chains without an order among Services; only a frame's tail
 * rules must stay last there. So one Service can change without rewriting the others.
 */
@NullMarked
package io.dualstackd.dataplane.rules.iptables;

import org.jspecify.annotations.NullMarked;
