/**
 * The layout of nftables mode: one table per family with a number of chains and rules that does not grow with the number of
 * Services. Services and endpoints are elements of sets and maps.
 *
 * <p>In: {@link io.dualstackd.dataplane.plan.ServicePlan} and {@link io.dualstackd.dataplane.plan.NodePlan}. Out: the table's
 * sets, maps and chains, and for each Service the {@link io.dualstackd.dataplane.rules.nftables.ServiceElements} it wants in them.
 * Must not touch: the kernel; the applied state.
 *
 * <p>The one surprising thing: no verdict map names Services. Whenever an element with a jump is added, the kernel walks everything
 * that can be reached; adding an element to a plain set or a data map costs the same at any size. So a Service with three endpoints is
 * an element of the set {@code service-ips-3}, for which one rule draws one of three, and not an element that jumps there
 * (docs/adr/0009-nftables-layout.md).
 */
@NullMarked
package io.dualstackd.dataplane.rules.nftables;

import org.jspecify.annotations.NullMarked;
