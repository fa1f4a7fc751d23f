/**
 * The kernel's load balancer ({@code linux/ip_vs.h}): virtual servers and the destinations behind them, as values and as messages of
 * the generic netlink family {@code IPVS}.
 *
 * <p>In: messages, or values to be written as such. Out: values and bytes. Must not touch: sockets; who talks to the kernel is
 * {@link io.dualstackd.netlink.io.IpvsClient}.
 *
 * <p>The one surprising thing: there are no transactions. Each change stands alone, and the order in which changes are sent is the only
 * protection of traffic.
 */
@NullMarked
package io.dualstackd.netlink.ipvs;

import org.jspecify.annotations.NullMarked;
